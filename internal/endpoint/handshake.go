package endpoint

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
)

// The handshake is four JSON lines. The client opens with a nonce and nothing else; the server proves
// that it holds the token before the client says more; the client proves the same and names its build;
// the server then names its own, or refuses. Each proof is an HMAC-SHA256 with the token over its step,
// the handshake's version, the app id, both nonces and what the sender says of itself, so that no line
// can be replayed, sent back, moved to another step or changed.

const (
	handshakeVersion = 1
	nonceSize        = 32
	maxName          = 256  // bytes of a version or build id
	maxHandshakeLine = 2048 // of which either side sends two
)

// errUnproved says that the other end failed to prove that it holds the token.
var errUnproved = errors.New("the other end could not prove that it belongs to this install")

type (
	helloLine struct {
		Elyra int    `json:"elyra"` // handshakeVersion
		Nonce []byte `json:"nonce"`
	}
	challengeLine struct {
		Elyra int    `json:"elyra"`
		Nonce []byte `json:"nonce,omitempty"` // none when the versions differ
		Proof []byte `json:"proof,omitempty"`
	}
	answerLine struct {
		Proof   []byte `json:"proof"`
		Version string `json:"version"`
		Build   string `json:"build"`
	}
	welcomeLine struct {
		Proof   []byte `json:"proof"`
		Version string `json:"version"`
		Build   string `json:"build"`
		Refused string `json:"refused,omitempty"` // "busy"
	}
)

const refusedBusy = "busy"

// handshake is one end's part in one handshake.
type handshake struct {
	token []byte
	appID string
	self  Peer
	rand  io.Reader

	nonceC, nonceS []byte
}

// session is what a handshake leaves behind.
type session struct {
	peer         Peer
	fromC, fromS []byte // keys for what the client and the server send from here on
}

// client speaks first and believes nothing that is not proved. r must have a buffer of maxHandshakeLine
// bytes and carries on after the handshake.
func (h *handshake) client(r *bufio.Reader, w io.Writer) (session, error) {
	var err error
	if h.nonceC, err = h.nonce(); err != nil {
		return session{}, err
	}
	if err := writeLine(w, helloLine{Elyra: handshakeVersion, Nonce: h.nonceC}); err != nil {
		return session{}, err
	}
	var challenge challengeLine
	if err := readLine(r, &challenge); err != nil {
		return session{}, err
	}
	if challenge.Elyra != handshakeVersion {
		return session{}, wrongVersion(challenge.Elyra)
	}
	h.nonceS = challenge.Nonce
	if len(h.nonceS) != nonceSize || !hmac.Equal(challenge.Proof, h.mac("server")) {
		return session{}, errUnproved
	}
	answer := answerLine{Proof: h.mac("client", h.self.Version, h.self.BuildID), Version: h.self.Version, Build: h.self.BuildID}
	if err := writeLine(w, answer); err != nil {
		return session{}, err
	}
	var welcome welcomeLine
	if err := readLine(r, &welcome); err != nil {
		return session{}, err
	}
	if !hmac.Equal(welcome.Proof, h.mac("welcome", welcome.Version, welcome.Build, welcome.Refused)) {
		return session{}, errUnproved
	}
	switch welcome.Refused {
	case "":
		return h.session(welcome.Version, welcome.Build), nil
	case refusedBusy:
		return session{}, ErrBusy
	}
	return session{}, fmt.Errorf("the app refused the connection: %.40q", welcome.Refused)
}

// server waits for a client. admit is asked once the client has proved itself, and decides whether there
// is room for it.
func (h *handshake) server(r *bufio.Reader, w io.Writer, admit func() bool) (session, error) {
	var hello helloLine
	if err := readLine(r, &hello); err != nil {
		return session{}, err
	}
	if hello.Elyra != handshakeVersion {
		// The number is no secret, and the client can tell its user what is wrong.
		return session{}, errors.Join(wrongVersion(hello.Elyra), writeLine(w, challengeLine{Elyra: handshakeVersion}))
	}
	h.nonceC = hello.Nonce
	if len(h.nonceC) != nonceSize {
		return session{}, errors.New("the hello has no usable nonce")
	}
	var err error
	if h.nonceS, err = h.nonce(); err != nil {
		return session{}, err
	}
	if err := writeLine(w, challengeLine{Elyra: handshakeVersion, Nonce: h.nonceS, Proof: h.mac("server")}); err != nil {
		return session{}, err
	}
	var answer answerLine
	if err := readLine(r, &answer); err != nil {
		return session{}, err
	}
	if !hmac.Equal(answer.Proof, h.mac("client", answer.Version, answer.Build)) {
		return session{}, errUnproved
	}
	welcome := welcomeLine{Version: h.self.Version, Build: h.self.BuildID}
	if !admit() {
		welcome.Refused = refusedBusy
		err = ErrBusy
	}
	welcome.Proof = h.mac("welcome", welcome.Version, welcome.Build, welcome.Refused)
	if err := errors.Join(err, writeLine(w, welcome)); err != nil {
		return session{}, err
	}
	return h.session(answer.Version, answer.Build), nil
}

func (h *handshake) nonce() ([]byte, error) {
	nonce := make([]byte, nonceSize)
	if _, err := io.ReadFull(h.rand, nonce); err != nil {
		return nil, fmt.Errorf("make nonce: %w", err)
	}
	return nonce, nil
}

// mac authenticates a step and what it says. Each part goes in with its length, so that no two lists of
// parts give the same input.
func (h *handshake) mac(step string, said ...string) []byte {
	m := hmac.New(sha256.New, h.token)
	part := func(b []byte) {
		m.Write(binary.BigEndian.AppendUint32(nil, uint32(len(b))))
		m.Write(b)
	}
	part([]byte("elyra endpoint"))
	part([]byte{handshakeVersion})
	part([]byte(step))
	part([]byte(h.appID))
	part(h.nonceC)
	part(h.nonceS)
	for _, s := range said {
		part([]byte(s))
	}
	return m.Sum(nil)
}

func (h *handshake) session(version, build string) session {
	return session{
		peer:  Peer{Version: version, BuildID: build},
		fromC: h.mac("records from the client"),
		fromS: h.mac("records from the server"),
	}
}

func wrongVersion(theirs int) error {
	return fmt.Errorf("the other end speaks version %d of the endpoint's handshake, this program %d: "+
		"use the same build of the app for both", theirs, handshakeVersion)
}

func writeLine(w io.Writer, v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("handshake: %w", err)
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

// readLine reads one line into v. The reader's buffer bounds the line.
func readLine(r *bufio.Reader, v any) error {
	line, err := r.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return fmt.Errorf("a line of the handshake is longer than %d bytes", maxHandshakeLine)
	case errors.Is(err, io.EOF):
		return fmt.Errorf("the other end closed the connection during the handshake: %w", err)
	case err != nil:
		return fmt.Errorf("the connection broke during the handshake: %w", err)
	}
	if err := json.Unmarshal(bytes.TrimSpace(line), v); err != nil {
		return fmt.Errorf("a line of the handshake is malformed: %w", err)
	}
	return nil
}
