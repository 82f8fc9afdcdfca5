/** What an anchored edit refers to, as it is printed: `[src/a.ts#0A3B]`. */
export const tagHeader = (path: string, tag: string): string => `[${path}#${tag}]`;

export interface TagHeader {
  path: string;
  tag: string;
}

/** Reads a pasted header, in brackets or with a pilcrow; undefined for any other line. */
export function readTagHeader(line: string): TagHeader | undefined {
  const header = /^\[(.+)#([0-9A-F]{4})\]$/.exec(line.trim()) ?? /^¶\s*(.+)#([0-9A-F]{4})$/.exec(line.trim());
  return header?.[1] && header[2] ? { path: header[1], tag: header[2] } : undefined;
}
