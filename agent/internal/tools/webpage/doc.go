// Package webpage turns a web page into text that a model can read: headings, paragraphs, lists, tables and code as in Markdown,
// links with their addresses, and nothing of what only a browser needs.
//
// It promises to take any bytes in time and memory that grow with their number alone, which is why it reads the page from
// left to right and makes no tree of it, and to bound what it returns. The text is still the page's: whoever shows it cleans
// it and marks it as data.
//
// It must not import other packages of the agent.
package webpage
