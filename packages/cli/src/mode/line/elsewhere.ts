/** What people know from other programs by these names, and where it is here. */
const places: Readonly<Record<string, string>> = {
  resume: "Leave with Ctrl+D; then `pith -c` goes on with the last session here, `pith -r <id>` with another.",
  sessions: "Leave with Ctrl+D; then `pith sessions` lists them, `pith -r <id>` goes on with one.",
  login: "Leave with Ctrl+D; then `pith auth add <vendor>` keeps a key. More: `pith help models`.",
  logout: "Leave with Ctrl+D; then `pith auth` tells which keys there are, and how one is removed.",
  config: "`pith config` shows and changes settings.",
};

/** Where something is that has a command elsewhere and none here. */
export function elsewhere(text: string): string | undefined {
  const name = /^\/([a-z]+)(?: .*)?$/.exec(text)?.[1] ?? "";
  return Object.hasOwn(places, name) ? `There is no command /${name}. ${places[name]}` : undefined;
}
