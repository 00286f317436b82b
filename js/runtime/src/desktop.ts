import { CommandError } from "./errors.js";
import { bytesOf, post } from "./transport.js";

/** One choice of a file dialog: only files that match are shown. */
export interface FileType {
  /** What the user reads: "Tables". */
  name: string;
  /** Patterns of file names: "*.csv". */
  patterns: string[];
}

export interface OpenOptions {
  /** The title bar's text. */
  title?: string;
  types?: FileType[];
  /** Lets the user choose more than one file. */
  multiple?: boolean;
}

export interface SaveOptions {
  /** The title bar's text. */
  title?: string;
  types?: FileType[];
}

/** A file that the user chose. Where it is, the page is not told. */
export interface OpenedFile {
  name: string;
  /** In bytes, as it was when it was chosen. */
  size: number;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  /** The content as UTF-8. */
  text(): Promise<string>;
}

/** Has the user choose files in the desktop's dialog. Resolves to none when they close it. */
export async function openFile(options: OpenOptions = {}): Promise<OpenedFile[]> {
  const response = await post("/elyra/open", options);
  const chosen = (await response.json()) as { id: number; name: string; size: number }[];
  return chosen.map(({ id, name, size }) => {
    const bytes = async (): Promise<Uint8Array<ArrayBuffer>> => {
      const content = new Uint8Array(await (await post("/elyra/read", { id })).arrayBuffer());
      // The app cannot say that it failed in the middle.
      if (content.length !== size) throw new CommandError(`${name} has changed or could not be read whole`, "file");
      return content;
    };
    return { name, size, bytes, text: async () => new TextDecoder().decode(await bytes()) };
  });
}

/**
 * Writes content, at most 16 MiB, to the file that the user chooses in the desktop's dialog, where it is called `name` at first.
 * Resolves to the file's name, or to undefined when the user closes the dialog.
 */
export async function saveFile(
  name: string,
  content: string | ArrayBuffer | ArrayBufferView,
  options: SaveOptions = {},
): Promise<string | undefined> {
  const query = encodeURIComponent(JSON.stringify({ ...options, name }));
  const bytes = bytesOf(content) ?? new TextEncoder().encode(content as string);
  const saved = (await (await post("/elyra/save?" + query, bytes)).json()) as string | null;
  return saved ?? undefined;
}

/** Shows a notification of the desktop. Throws on desktops without notifications. */
export async function notify(title: string, body = ""): Promise<void> {
  await post("/elyra/notify", { title, body });
}
