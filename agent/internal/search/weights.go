package search

// The fields. Their weights were tried on half of a set of questions and judged on the other half; they are coarse on purpose.
var (
	fieldName          = field{weight: 3, usual: 3, slope: 0.5}
	fieldTitle         = field{weight: 1, usual: 4, slope: 0.5}
	fieldSentence      = field{weight: 2, usual: 10, slope: 0.5}
	fieldRest          = field{weight: 1, usual: 50, slope: 0.7}
	fieldParameter     = field{weight: 1, usual: 5, slope: 0.6}
	fieldParameterText = field{weight: 0.7, usual: 30, slope: 0.7}
	fieldServer        = field{weight: 1, usual: 2, slope: 0.5}
)

var (
	saturation   float32 = 1.5 // k1
	conceptWorth float32 = 0.6
	crossWorth   float32 = 0.7 // pairs of characters across words
	fuzzyWorth   float32 = 0.6
	coverage     float32 = 0.3 // part of the score that depends on how much of the query was found
)
