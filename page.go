package elyra

// Page is one page of a longer list.
type Page[T any] struct {
	// Items are the entries of this page.
	Items []T `json:"items"`
	// Total is how many entries there are on all pages.
	Total int64 `json:"total"`
	// Page is the number of this page, from 1.
	Page int `json:"page"`
	// PerPage is how many entries a full page has.
	PerPage int `json:"perPage"`
}
