package search

import "github.com/go-json-experiment/json/jsontext"

// A Document is one tool as its server described it.
type Document struct {
	Server, Name, Title, Description string
	InputSchema                      jsontext.Value // may be empty; need not be valid
}

// A posting is one term of a document and the weighted count of it.
type posting struct {
	term   int32
	weight float32
}

// Index holds documents ready to be ranked. It does not change and may be used by several goroutines at once.
type Index struct {
	docs  []Document
	lex   *lexicon
	terms map[string]int32 // stems and pairs of characters; concepts come before all of them
	df    []int32          // documents of each term
	posts []posting        // of all documents, one after the other
	first []int            // where a document's postings begin; one more than documents
	names [][]reading      // the words of each document's name
}

// New reads the documents. It keeps the slice.
func New(docs []Document) *Index {
	lex := newLexicon()
	x := &Index{
		docs: docs, lex: lex,
		terms: make(map[string]int32, 8<<10), df: make([]int32, lex.concepts, 8<<10),
		posts: make([]posting, 0, 64*len(docs)), first: make([]int, 1, len(docs)+1), names: make([][]reading, len(docs)),
	}
	c := newCounter(x)
	for i := range docs {
		c.document(&docs[i])
		x.names[i] = c.nameWords(cutText(docs[i].Name, nameBytes))
		x.first = append(x.first, len(x.posts))
	}
	return x
}
