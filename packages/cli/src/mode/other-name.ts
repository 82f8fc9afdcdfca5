/** Commands of other agents by their names there, and what does the same here. */
const others: Readonly<Record<string, string>> = {
  login: "Leave with Ctrl+D; then `pith auth add <vendor>` stores a key. More: `pith help models`.",
  logout: "Leave with Ctrl+D; then `pith auth` lists the stored keys and removes one.",
  mcp: "`pith help sources` tells which servers are found, and what pith does with them.",
  permissions: "/approval shows and changes what runs without asking; Shift+Tab switches it.",
  approvals: "/approval shows and changes what runs without asking; Shift+Tab switches it.",
  "allowed-tools": "/approval shows and changes what runs without asking.",
  status: "? shows the keys and what the status line says; /context, /cost and /model tell more.",
  usage: "/cost shows tokens and costs of this session, `pith stats` those of all.",
  rewind: "/tree goes back to an earlier place; /undo undoes what the last turn changed.",
  checkpoint: "/tree goes back to an earlier place; /undo undoes what the last turn changed.",
  review: "/diff shows what was changed, hunk by hunk.",
  agents: "/explorer chooses the model of sub-agents; `pith help sources` tells of agents in files.",
  hooks: "`pith help sources` tells which hooks are found, and what pith does with them.",
  skills: "/sources lists what was found; /skill:<name> calls one.",
  doctor: "`pith doctor`, after leaving with Ctrl+D, checks all that pith needs.",
  bug: "/debug writes a report of session, outputs, log and system.",
  feedback: "/debug writes a report of session, outputs, log and system.",
  vim: "/settings has editor.vim.",
  effort: "Alt+T changes how long the model thinks.",
  "add-dir": "Start pith with --add-dir <dir>.",
  upgrade: "`pith help install` tells how to update.",
  update: "`pith help install` tells how to update.",
};

/** The answer to a command that another agent has and that is none here. */
export function otherName(text: string): string | undefined {
  const name = /^\/([a-z-]+)(?: .*)?$/.exec(text)?.[1] ?? "";
  return Object.hasOwn(others, name) ? `There is no command /${name}. ${others[name]}` : undefined;
}
