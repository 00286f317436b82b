// Package search ranks the tools of MCP servers for a query in free text, in any language, from nothing but what the
// servers said about them. It owns the reading of words out of names, texts and schemas, the lexicon that joins words of
// one meaning across languages, and the ranking. It does no I/O, asks no model and imports nothing that does.
//
// It promises that an answer depends only on the documents and the query: the same ones rank the same way every time.
// Everything that a server says is untrusted. How much of a text or a schema is read is bounded, a word repeated or a
// description stuffed with words gains little, and no server fills an answer unless the query names it.
//
// A tool's words are counted by field (name, title, first sentence, rest, parameters, server) and weighed as BM25F does,
// against fixed lengths instead of the average ones, so that one server's listing does not move another's score. Each word
// also counts for the concepts of lexicon.txt that it belongs to. A word of the query is worth the better of the two: itself,
// or for less, its concept. Written Chinese, Japanese and Korean is read as pairs of characters besides.
package search
