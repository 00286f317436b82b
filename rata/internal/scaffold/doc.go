// Package scaffold owns the skeleton of a new app, its window's pages, and the files of make:command and
// make:middleware: the templates, and the names that they take.
//
// It promises that all that it plans goes through a change set, so that nothing is written before every
// name and every file has been checked. What belongs to one resource is in package resource, below this
// one. It must not import package elyra, read the environment or start programs.
//
// # The declaration of a resource
//
// The window's pages know no resource. Each has a module ui/dist/resources/<plural>.js that says what its
// list and its form show, and the generated ui/dist/resources.js has the list of them as its default export:
//
//	// What the list and the form of products show.
//	export default {
//		name: "products",       // the prefix of the commands: products_index, _show, _store, _update, _destroy
//		title: "Products",      // for navigation and headings; in lower case within sentences
//		singular: "product",
//		heading: "name",        // the field that names a product; left out: "product #12"
//		search: true,           // products_index takes query.search
//		sort: ["name", "price"], // columns by which products_index sorts: query.sort, query.descending
//		clears: true,           // the input of products_update takes clear, the names of fields to empty
//		columns: ["name", "price", "createdAt"],
//		fields: [
//			{ name: "name", label: "Name", input: "string", required: true },
//			{ name: "price", label: "Price", input: "decimal", required: true },
//			{ name: "size", label: "Size", input: "enum", options: ["small", "large"] },
//			{ name: "about", label: "About", input: "text", hint: "What a buyer should know." },
//		],
//	};
//
// An input is string, text, int, float, decimal, bool, date, datetime, email, url, uuid or enum. Values
// travel as JSON numbers (int, float), booleans (bool) or strings (all others: a decimal as "12.50", a date
// as "2026-12-01", a datetime as RFC 3339). An index takes {query: {page, perPage, search, sort,
// descending}}, all optional, and gives {items, page, perPage, total}; an item has id, createdAt and
// updatedAt besides the fields. Show and destroy take {id}, store {input} with all fields, update {id, input}
// with those that change. A string or a text that is left empty is sent as "". Any other optional field is left
// out when it is empty, and named in the input's clear when it has been emptied.
package scaffold
