import { tryOr } from "@pith/kit";
import { openFfi } from "../../platform.ts";

/** A folder that Windows leaves where it is until it is let go. */
export interface WindowsPin {
  /** Path that the system tells of the handle. */
  path: string;
  free(): void;
}

type OpenPin = (path: string) => WindowsPin | undefined;

/**
 * Opens folders so that nobody may rename or remove them or what is above them, by calls of Windows. Undefined where
 * the runtime cannot call it; a folder that cannot be held so is answered by undefined.
 */
export function openWindowsPins(library = "kernel32.dll"): OpenPin | undefined {
  return tryOr((): OpenPin | undefined => {
    const symbols = openFfi()?.dlopen(library, {
      CreateFileW: { args: ["ptr", "u32", "u32", "ptr", "u32", "u32", "ptr"], returns: "i64" },
      GetFinalPathNameByHandleW: { args: ["i64", "ptr", "u32", "u32"], returns: "u32" },
      CloseHandle: { args: ["i64"], returns: "i32" },
    }).symbols;
    if (!symbols) return undefined;
    return (path) => {
      const handle = symbols.CreateFileW(wide(path), listed, sharedButNotMoved, null, existing, asItself, null);
      if (handle === -1n) return undefined;
      const free = () => void symbols.CloseHandle(handle);
      const told = new Uint16Array(longest);
      const length = symbols.GetFinalPathNameByHandleW(handle, told, longest, 0);
      if (length > 0 && length < longest) {
        const name = Buffer.from(told.buffer, 0, 2 * length).toString("utf16le");
        return { path: plainPath(name), free };
      }
      free();
      return undefined;
    };
  });
}

// <winnt.h>, <fileapi.h>, <winbase.h>
const listed = 0x1 | 0x80; // FILE_LIST_DIRECTORY | FILE_READ_ATTRIBUTES
const sharedButNotMoved = 0x1 | 0x2; // FILE_SHARE_READ | FILE_SHARE_WRITE, without FILE_SHARE_DELETE
const existing = 3; // OPEN_EXISTING
const asItself = 0x02000000 | 0x00200000; // FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT
const longest = 32_768;

/** A text as Windows reads it, with a zero at its end. */
const wide = (text: string): Buffer => Buffer.from(`${longForm(text)}\0`, "utf16le");

/** A path that may be longer than 260 characters. @internal */
export function longForm(path: string): string {
  if (path.startsWith("\\\\?\\") || path.startsWith("\\\\.\\")) return path;
  return path.startsWith("\\\\") ? `\\\\?\\UNC\\${path.slice(2)}` : `\\\\?\\${path}`;
}

/** The path that the system tells of a handle, as people write it. @internal */
export const plainPath = (path: string): string =>
  path.startsWith("\\\\?\\UNC\\") ? `\\\\${path.slice(8)}` : path.replace(/^\\\\\?\\(?=[A-Za-z]:)/, "");
