const config = "[core]\n\trepositoryformatversion = 0\n";
const hidden = "\tfsmonitor = ./evil\n";
const objects = {
  ".git/objects/.keep": "",
  ".git/refs/.keep": "",
  ".git/HEAD": "ref: refs/heads/main\n",
  evil: "#!/bin/sh\ntouch pwn\n",
};
const repository = (text: string, more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  ".git/config": text,
  ...objects,
  ...more,
});
const elsewhere = { "cm/config": config + hidden, "cm/objects/.keep": "", "cm/refs/.keep": "" };

/** Repositories in which a look of git runs a program, by how their configuration hides it. */
export const hostileRepositories: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "a plain line": repository(config + hidden),
  "a comment that seems to go on": repository(`${config}\t# note \\\n${hidden}`),
  "a comment behind a value": repository(`${config}\tbar = x # c \\\n${hidden}`),
  "an escaped sign at the end": repository(`${config}\tname = x\\\\\n${hidden}`),
  "a value that goes on": repository(`${config}\tname = x \\\n\ty\n${hidden}`),
  "two keys in the line of a section": repository(`[core] fsmonitor = ./evil\n`),
  "an included file": repository(`${config}[include]\n\tpath = more\n`, { ".git/more": `[core]\n${hidden}` }),
  "a long way to the common directory": repository(config, {
    ".git/commondir": `../cm${"\n".repeat(5000)}`,
    ...elsewhere,
  }),
  "a blank behind the common directory": repository(config, {
    ".git/commondir": "../cm ",
    "cm /config": config + hidden,
    ...elsewhere,
  }),
  "a file of two lines": {
    ".git": "gitdir: d\n/e\n",
    "d\n/e/config": config + hidden,
    "d\n/e/HEAD": "ref: refs/heads/main\n",
    "d\n/e/objects/.keep": "",
    "d\n/e/refs/.keep": "",
    evil: objects.evil,
  },
  "a promisor by its filter": repository(
    `${config}[remote "o"]\n\turl = ext::sh -c ./evil\n\tpartialCloneFilter = blob:none\n[protocol "ext"]\n\tallow = always\n`,
  ),
  "a shell for a remote": repository(
    `${config}\tsshCommand = ./evil\n[remote "o"]\n\turl = ssh://x/y\n\tpartialCloneFilter = blob:none\n`,
  ),
  "a command for alternates": repository(`${config}\talternateRefsCommand = ./evil\n`),
  "a bare repository": {
    config: config + hidden,
    HEAD: "ref: refs/heads/main\n",
    "objects/.keep": "",
    "refs/.keep": "",
  },
};
