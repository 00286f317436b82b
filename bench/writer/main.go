// Command writer is another program that has a SQLite file open: it runs each line of its input as a
// statement, over the plain library, and answers with a line once that is committed.
package main

import (
	"bufio"
	"database/sql"
	"fmt"
	"os"

	_ "modernc.org/sqlite"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "writer:", err)
		os.Exit(1)
	}
}

func run(path string) error {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)&_pragma=synchronous(normal)")
	if err != nil {
		return err
	}
	defer db.Close()
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		answer := "done"
		if _, err := db.Exec(lines.Text()); err != nil {
			answer = err.Error()
		}
		fmt.Println(answer)
	}
	return lines.Err()
}
