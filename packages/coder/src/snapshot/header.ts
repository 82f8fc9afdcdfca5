/** The header that an anchored edit refers to: `[src/a.ts#0A3B]`. */
export const tagHeader = (path: string, tag: string): string => `[${path}#${tag}]`;

/** Reads a pasted header, in brackets or with a pilcrow; undefined for any other line. */
export function readTagHeader(line: string): { path: string; tag: string } | undefined {
  const header = /^\[(.+)#([0-9A-F]{4})\]$/.exec(line.trim()) ?? /^¶\s*(.+)#([0-9A-F]{4})$/.exec(line.trim());
  return header?.[1] && header[2] ? { path: header[1], tag: header[2] } : undefined;
}
