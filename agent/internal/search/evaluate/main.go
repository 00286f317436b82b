// Command evaluate prints how often the ranking of tools finds the tool that a query asks for, beside plain BM25.
//
//	go run ./internal/search/evaluate -tools tools.jsonl -queries step_queries.jsonl -catalogs catalogs
//
// A line of the tools is {id, server, name, description, inputSchema}; a line of the queries is
// {query, labels: [{anyOf: [id]}]}; a catalogue is {server, tools: [...]}. A label is found when one of its tools is among
// the first k. "5 even" and "5 odd" are recall@5 on each half of the queries: what one half alone would have said.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/search"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

type tool struct {
	ID          string         `json:"id"`
	Server      string         `json:"server"`
	Name        string         `json:"name"`
	Title       string         `json:"title"`
	Description string         `json:"description"`
	InputSchema jsontext.Value `json:"inputSchema"`
}

type query struct {
	Query  string `json:"query"`
	Labels []struct {
		AnyOf []string `json:"anyOf"`
	} `json:"labels"`
}

func main() {
	tools := flag.String("tools", "", "file of tools, one a line")
	queries := flag.String("queries", "", "files of queries, one query a line, separated by commas")
	catalogs := flag.String("catalogs", "", "folder of catalogues to mix in; none if empty")
	misses := flag.Int("misses", 0, "print each query whose tool is not among the first so many")
	flag.Parse()
	if err := run(os.Stdout, *tools, *queries, *catalogs, *misses); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(w io.Writer, toolsFile, queryFiles, catalogs string, misses int) error {
	alone, err := lines[tool](toolsFile)
	if err != nil {
		return err
	}
	mixed := alone
	if catalogs != "" {
		more, err := readCatalogs(catalogs)
		if err != nil {
			return err
		}
		mixed = append(alone[:len(alone):len(alone)], more...)
	}
	for _, file := range strings.Split(queryFiles, ",") {
		qs, err := lines[query](file)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s: %d queries\n%-12s %6s %6s %6s %6s %7s %7s\n", filepath.Base(file), len(qs),
			"recall@", "1", "3", "5", "10", "5 even", "5 odd")
		report(w, "bm25 alone", alone, qs, 0, baseline(alone))
		report(w, "ours alone", alone, qs, misses, ours(alone))
		if len(mixed) > len(alone) {
			report(w, "bm25 mixed", mixed, qs, 0, baseline(mixed))
			report(w, "ours mixed", mixed, qs, misses, ours(mixed))
		}
	}
	return nil
}

type ranking func(query string) []int

func baseline(tools []tool) ranking {
	b := newBM25(documents(tools))
	return func(q string) []int { return b.find(q, 10) }
}

func ours(tools []tool) ranking {
	x := search.New(documents(tools))
	return func(q string) []int {
		var found []int
		for _, h := range x.Find(q, search.Options{Limit: 10}) {
			found = append(found, h.Document)
		}
		return found
	}
}

// report prints one row, and the queries that were missed.
func report(w io.Writer, name string, tools []tool, qs []query, misses int, rank ranking) {
	var hits [4]int
	var halves, labels [2]int
	for n, q := range qs {
		found := rank(q.Query)
		for _, label := range q.Labels {
			labels[n%2]++
			place := place(tools, found, label.AnyOf)
			for i, k := range []int{1, 3, 5, 10} {
				if place < k {
					hits[i]++
				}
			}
			if place < 5 {
				halves[n%2]++
			}
			if misses > 0 && place >= misses {
				fmt.Fprintf(w, "  missed: %s\n    wanted %s\n", q.Query, strings.Join(label.AnyOf, ", "))
				for _, d := range found[:min(len(found), 5)] {
					fmt.Fprintf(w, "    got    %s\n", tools[d].ID)
				}
			}
		}
	}
	fmt.Fprintf(w, "%-12s", name)
	for _, h := range hits {
		fmt.Fprintf(w, " %6.1f", percent(h, labels[0]+labels[1]))
	}
	fmt.Fprintf(w, " %7.1f %7.1f\n", percent(halves[0], labels[0]), percent(halves[1], labels[1]))
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// place is the first place, from 0, of any of the ids.
func place(tools []tool, found []int, ids []string) int {
	for i, d := range found {
		for _, id := range ids {
			if tools[d].ID == id {
				return i
			}
		}
	}
	return len(tools)
}

func documents(tools []tool) []search.Document {
	docs := make([]search.Document, len(tools))
	for i, t := range tools {
		docs[i] = search.Document{Server: t.Server, Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: t.InputSchema}
	}
	return docs
}

func readCatalogs(folder string) ([]tool, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	var all []tool
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var catalog struct {
			Server string `json:"server"`
			Tools  []tool `json:"tools"`
		}
		if err := json.Unmarshal(data, &catalog); err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		for _, t := range catalog.Tools {
			t.Server = catalog.Server
			t.ID = t.Server + "::" + t.Name
			all = append(all, t)
		}
	}
	return all, nil
}

// lines reads a file of JSON values, one a line.
func lines[T any](file string) ([]T, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []T
	scan := bufio.NewScanner(f)
	scan.Buffer(nil, 16<<20)
	for scan.Scan() {
		var v T
		if err := json.Unmarshal(scan.Bytes(), &v); err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		all = append(all, v)
	}
	return all, scan.Err()
}
