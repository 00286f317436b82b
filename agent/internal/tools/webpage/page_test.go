package webpage

import (
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func base(t testing.TB) *url.URL {
	t.Helper()
	u, err := url.Parse("https://example.com/docs/a.html?q=1")
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"paragraphs":        {"<p>one\n  two<p>three</p>four<br>five<div>six</div>", "one two\n\nthree\n\nfour\nfive\nsix"},
		"glued":             {"a<b>b</b>c <i>d</i>, e", "abc d, e"},
		"entities":          {"a &lt;b&gt; &amp;amp; &eacute;&nbsp;x", "a <b> &amp; é x"},
		"headings":          {"<h1>One</h1>a<h3>Three <b>x</b></h3>b", "# One\n\na\n\n### Three x\n\nb"},
		"dropped":           {"<style>s</style>a<script>x<b></script><svg><title>t</title><path/>z</svg><nav>menu<nav>in</nav>er</nav> b<button>c</button><template>d</template>", "a b"},
		"nav without end":   {"<div><nav><ul><li>menu</div>after", "after"},
		"hidden":            {`a<span style="color:red; DISPLAY: none">x<br>y</span><p hidden>z<p>b<div role=navigation>n</div>`, "a\n\nb"},
		"all beside":        {"<nav>menu <a href=/x>x</a></nav><script>s</script>", "menu x (https://example.com/x)"},
		"hidden body":       {"<body style='display:none'>text<script>s</script>", "text"},
		"noscript":          {"<noscript><p>no <b>script</b></p></noscript>", "no script"},
		"links":             {`<a href="b.html">to b</a>, <a href="#x">here</a>, <a href="javascript:x()">js</a>, <a href="//o.org/?a=b&amp;c">o</a>.`, "to b (https://example.com/docs/b.html), here, js, o (https://o.org/?a=b&c)."},
		"link as it is":     {`<a href="https://o.org/">https://o.org/</a><a href=/><img></a>`, "https://o.org/"},
		"link of blocks":    {"<a href=/x><h2>T</h2><p>text</p></a>more", "## T\n\ntext (https://example.com/x)\n\nmore"},
		"link without end":  {"<a href=/x>x <a href=/y>y", "x (https://example.com/x) y (https://example.com/y)"},
		"base":              {"<base href=/other/><base href=/no/><a href=x>x</a>", "x (https://example.com/other/x)"},
		"lists":             {"<ul><li>a<li>b<ol start=3><li>c<p>d</p></li><li>e</ol><li></ul>z", "- a\n- b\n  3. c\n\n     d\n\n  4. e\n\nz"},
		"item without list": {"<li>a<li>b", "- a\n- b"},
		"quote":             {"<blockquote><p>a<p>b</blockquote>c", "> a\n>\n> b\n\nc"},
		"definitions":       {"<dl><dt>a<dd>b<dt>c<dd>d</dl>", "a\n: b\nc\n: d"},
		"code":              {"use <code>a  b</code>, <code>x`y</code><kbd> </kbd>z", "use `a b`, `` x`y `` z"},
		"block of code":     {"x<pre><code class='hl language-go'>\nfunc <span>f</span>() {\n\t```\n}\n</code></pre>y", "x\n\n````go\nfunc f() {\n\t```\n}\n````\n\ny"},
		"lines of code":     {"<pre><div>a</div><div>b</div>c<br>d</pre>", "```\na\nb\nc\nd\n```"},
		"code in an item":   {"<ul><li>x<pre>a\nb</pre></ul>", "- x\n\n  ```\n  a\n  b\n  ```"},
		"xmp":               {"<xmp><b>x</b></xmp>y", "```\n<b>x</b>\n```\n\ny"},
		"table":             {"<table><thead><tr><th>a<th>b</thead><tr><td>1</td><td><p>2</p><p>3</p></td></tr><tr><td></td><td>4</table>z", "| a | b |\n| --- | --- |\n| 1 | 2 3 |\n| | 4 |\n\nz"},
		"list in a table":   {"<table><tr><td>a<td><ul><li>b<li>c</ul></table>", "| a | - b - c |\n| --- | --- |"},
		"layout":            {"<table><tr><td><table><tr><td>a<td>b</table><td>c</table>", "| a | b |\n| --- | --- |\n\nc"},
		"code in a table":   {"<table><tr><td><pre>1\n2</pre><td><pre>a\nb</pre></table>", "```\n1\n2\n```\n\n```\na\nb\n```"},
		"images":            {"<img src=x.png alt=' a  cat '><img src=y.png>", "[image: a cat] (https://example.com/docs/x.png)"},
		"rule":              {"a<hr>b", "a\n\n---\n\nb"},
		"stray ends":        {"</div></p></table></tr></li>a</ul></pre></a>b", "ab"},
		"comment":           {"a<!-- <b>no</b> -->b<!doctype html>c", "abc"},
		"a table's end":     {"<table><tr><td>a</table><table></table>b", "| a |\n\nb"},
		"deep":              {strings.Repeat("<div>", 500) + "<script>no</script><pre>x</pre>" + strings.Repeat("</div>", 500) + "<p>y", "x\n\ny"},
		"deep lists":        {strings.Repeat("<ul><li>", 20) + "x", strings.Repeat("- ", 12) + "x"},
		"nothing":           {"<html><body> </body></html>", ""},
	} {
		p, err := Read(strings.NewReader(c.in), base(t))
		if err != nil || p.Text != c.want || p.Cut {
			t.Errorf("%s: %v\ngot  %q\nwant %q", name, err, p.Text, c.want)
		}
	}
}

func TestRead_title(t *testing.T) {
	t.Parallel()
	p, err := Read(strings.NewReader("<html><head><title> A\n&amp; B </title><body><svg><title>no</title></svg>x<title>late</title>"), base(t))
	if err != nil || p.Title != "A & B" || p.Text != "x" {
		t.Errorf("%+v, %v", p, err)
	}
	p, _ = Read(strings.NewReader("<title>"+strings.Repeat("é", 500)+"</title>"), base(t))
	if len(p.Title) != maxTitle || !utf8.ValidString(p.Title) {
		t.Errorf("%d bytes of a title", len(p.Title))
	}
}

// Pages that are made to take long or to become much do neither.
func TestRead_bounded(t *testing.T) {
	t.Parallel()
	const size = 2 << 20
	long := "<base href='https://example.com/" + strings.Repeat("x", 450) + "/'>"
	for name, part := range map[string]string{
		"formatting": "<p>x<b a=%d><i>", "open": "<div>", "stray": "</x>", "links": "<a href=a>b", "code": "<pre>a</pre>`", "lists": "<ul><li>a",
		"tables": "<table><tr><td>a", "comments": "<!--", "cells": "<td>", "attributes": "<b a=1 ", "nul": "\x00<\xff", "titles": "<title>a</title>",
	} {
		begun := time.Now()
		p, err := Read(strings.NewReader(long+strings.Repeat("<span>", 255)+strings.Repeat(part, size/len(part))), base(t))
		if err != nil || len(p.Text) > maxText {
			t.Errorf("%s: %d bytes, %v", name, len(p.Text), err)
		}
		if took := time.Since(begun); took > 20*time.Second {
			t.Errorf("%s took %v", name, took)
		}
		if name == "links" && !p.Cut {
			t.Error("long links are not bounded")
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("<title>t</title><h1>a</h1><ul><li>b<ol><li>c</ul><table><tr><td>d<td><pre>e</table><a href=x>f</a><code>g</code>")
	f.Add("<table><tr><td><table><li><dd><blockquote><pre><code class=language-x><p></table></pre></a><nav hidden><base href=?>")
	f.Add("<svg><title><path/></svg><noscript><img alt=a src=b></noscript><plaintext></plaintext>x")
	f.Fuzz(func(t *testing.T, in string) {
		p, err := Read(strings.NewReader(in), base(t))
		if err != nil {
			return // a token that is no token
		}
		if len(p.Text) > 2000*(len(in)+1) || p.Text != strings.TrimSpace(p.Text) {
			t.Errorf("%d bytes of %d", len(p.Text), len(in))
		}
		if utf8.ValidString(in) && !utf8.ValidString(p.Text) {
			t.Errorf("%q is no UTF-8", p.Text)
		}
		// A page in a script says nothing.
		quiet, err := Read(strings.NewReader("<template>"+strings.ReplaceAll(in, "<", "")), base(t))
		if err == nil && quiet.Text != "" {
			t.Errorf("what is dropped shows: %q", quiet.Text)
		}
	})
}
