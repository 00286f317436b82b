// Command processprng writes bcryptprimitives.dll for an old Wine, which has none and so cannot start what Go makes for
// Windows. The library holds no code: its one function, ProcessPrng, is another name for advapi32's RtlGenRandom, exported
// as SystemFunction036. It is for tests; a program that is shipped never needs it.
//
// Usage: processprng PREFIX/drive_c/windows/system32/bcryptprimitives.dll
package main

import (
	"bytes"
	"debug/pe"
	"encoding/binary"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: processprng FILE")
		os.Exit(2)
	}
	if err := os.WriteFile(os.Args[1], library(), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "processprng:", err)
		os.Exit(1)
	}
}

// Where things lie: headers in the file's first block and the exports, the only section, in its second. In memory a block is a page.
const (
	block = 0x200
	page  = 0x1000
)

// exports is the table of exports, as it lies in memory from page on, and the names behind it. Microsoft's description of
// the format calls its first part the export directory table.
type exports struct {
	Flags, Time, Version    uint32
	Name, OrdinalBase       uint32
	Functions, Names        uint32
	AddressOf               uint32 // of the table of functions
	NamesAt, OrdinalsAt     uint32
	Function                uint32 // the table of functions: where one leads to in this section, another library's is named there
	FunctionName            uint32 // the table of names
	Ordinal                 uint16 // the table of ordinals
	LibraryText             [22]byte
	FunctionText, TargetTxt [32]byte
}

// library is the file.
func library() []byte {
	e := exports{OrdinalBase: 1, Functions: 1, Names: 1}
	const tables = page + 40 // behind the export directory table
	e.AddressOf, e.NamesAt, e.OrdinalsAt = tables, tables+4, tables+8
	e.Name = tables + 10
	copy(e.LibraryText[:], "bcryptprimitives.dll")
	e.FunctionName = e.Name + uint32(len(e.LibraryText))
	copy(e.FunctionText[:], "ProcessPrng")
	e.Function = e.FunctionName + uint32(len(e.FunctionText))
	copy(e.TargetTxt[:], "advapi32.SystemFunction036")
	size := uint32(binary.Size(e))

	var head bytes.Buffer
	dos := make([]byte, 64)
	copy(dos, "MZ")
	dos[60] = 64 // where the next header is
	head.Write(dos)
	head.WriteString("PE\x00\x00")
	optional := pe.OptionalHeader64{
		Magic: 0x20b, ImageBase: 0x180000000, SectionAlignment: page, FileAlignment: block,
		MajorOperatingSystemVersion: 6, MajorSubsystemVersion: 6, SizeOfImage: 2 * page, SizeOfHeaders: block,
		SizeOfInitializedData: block, Subsystem: pe.IMAGE_SUBSYSTEM_WINDOWS_CUI, DllCharacteristics: pe.IMAGE_DLLCHARACTERISTICS_NX_COMPAT,
		NumberOfRvaAndSizes: 16,
	}
	optional.DataDirectory[pe.IMAGE_DIRECTORY_ENTRY_EXPORT] = pe.DataDirectory{VirtualAddress: page, Size: size}
	for _, part := range []any{
		pe.FileHeader{
			Machine: pe.IMAGE_FILE_MACHINE_AMD64, NumberOfSections: 1, SizeOfOptionalHeader: uint16(binary.Size(optional)),
			Characteristics: pe.IMAGE_FILE_EXECUTABLE_IMAGE | pe.IMAGE_FILE_LARGE_ADDRESS_AWARE | pe.IMAGE_FILE_DLL,
		},
		optional,
		pe.SectionHeader32{
			Name: [8]byte{'.', 'e', 'd', 'a', 't', 'a'}, VirtualSize: size, VirtualAddress: page, SizeOfRawData: block, PointerToRawData: block,
			Characteristics: pe.IMAGE_SCN_CNT_INITIALIZED_DATA | pe.IMAGE_SCN_MEM_READ,
		},
	} {
		binary.Write(&head, binary.LittleEndian, part) //nolint:errcheck // A buffer takes everything.
	}
	var section bytes.Buffer
	binary.Write(&section, binary.LittleEndian, e) //nolint:errcheck // A buffer takes everything.
	file := make([]byte, 2*block)
	copy(file, head.Bytes())
	copy(file[block:], section.Bytes())
	return file
}
