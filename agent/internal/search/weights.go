package search

// The numbers of the ranking. They were looked for on one half of the queries and judged on the other half, both ways round,
// and what both halves agreed on was rounded. Each may be moved by a third without much harm.
const (
	saturation   = 2.5  // k1: the weighted count at which a word is worth half of the most it can be
	conceptWorth = 0.85 // of a word of the same concept, beside the word itself
	crossWorth   = 0.7  // of a pair of characters that belongs to no word of the lexicon
	fuzzyWorth   = 0.6  // of the word that a mistyped one is read as
	literalWorth = 0.3  // of a word in a path or an address
	coverage     = 0.3  // the part of a score that depends on how much of the query was found
	nameBonus    = 0.3  // for a name of which the query asks for every word
	repeats      = 2    // how often a word counts in one field
)

// A field is one of the places where a document's words stand.
type field struct {
	weight float32 // of a word in a field of the usual length
	usual  float32 // words
	slope  float32 // 0: length does not matter, 1: a word in a field twice as long is worth half
}

// The fields of a document.
const (
	inServer = iota
	inName
	inTitle
	inSentence
	inRest
	inParameters     // their names
	inParameterTexts // what their schemas say in words, and the values they may have
	fields
)

func fieldWeights() [fields]field {
	return [fields]field{
		inServer:         {weight: 1, usual: 2, slope: 0.5},
		inName:           {weight: 4, usual: 3, slope: 0.6},
		inTitle:          {weight: 1, usual: 4, slope: 0.5},
		inSentence:       {weight: 2, usual: 10, slope: 0.4},
		inRest:           {weight: 1, usual: 20, slope: 0.9},
		inParameters:     {weight: 1, usual: 5, slope: 0.6},
		inParameterTexts: {weight: 0.7, usual: 30, slope: 0.7},
	}
}
