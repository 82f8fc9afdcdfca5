import { vendors } from "../../vendor/table.ts";
import type { Script } from "../script.ts";

const source = `#!/bin/sh
# Greets everyone it is told: sh greet.sh ada bob

greeting="Hello"

# Prints one line for each name.
greet() {
  for name in "$1"; do
    echo "$greeting, $name!"
  done
}

if [ $# -eq 0 ]; then
  echo "usage: sh greet.sh name ..." >&2
  exit 2
fi
greet "$@"
# The end.
`;

const test = `#!/bin/sh
# Run me: sh test.sh
want="Hello, ada!
Hello, bob!"
got=$(sh greet.sh ada bob)
if [ "$got" = "$want" ]; then
  echo "1 test passed"
else
  printf '1 test failed\\nwanted:\\n%s\\ngot:\\n%s\\n' "$want" "$got"
  exit 1
fi
`;

const keys = vendors.flatMap(({ usual, local, keys: names }) => {
  const key = names.find((name) => name.endsWith("_API_KEY"));
  return usual && !local && key ? [key] : [];
});

const connect = `To talk to a real model, do one of these and start \`pith\` again:

- set the key of a vendor: ${keys.map((key) => `\`${key}\``).join(", ")}; \`pith models\` lists all;
- store one: \`pith auth add <vendor>\`;
- start Ollama, LM Studio, llama.cpp or vLLM on this machine: pith finds them, and \`pith models\` lists what they have;
- name any other server with an OpenAI-compatible API: \`export OPENAI_BASE_URL=http://127.0.0.1:8000/v1\`, then
  \`pith --model openai/<name>\`.

\`pith help models\` has the rest.`;

/** Inputs that Enter alone sends, one after the other, each with the words that announce it. */
export const tourSteps = [
  { say: "Fix the failing test.", about: "Press Enter for the tour" },
  { say: "/undo", about: "Press Enter to undo the change" },
  { say: "/redo", about: "Press Enter to redo it" },
  { say: "What else is there?", about: "Press Enter for the end of the tour" },
] as const;

/** Demonstrates pith on a project of two files, without a model. */
export const tour: Script = {
  name: "Scripted tour",
  project: { files: { "greet.sh": source, "test.sh": test } },
  chunkSize: 16,
  chunkDelayMs: 6,
  turns: [
    {
      text: `This is a scripted tour: no model answers. The tools are real, and so is the small project they work on.

Its test fails. First I read the test and the script that it tests.`,
      calls: [
        { tool: "read", input: { path: "test.sh" } },
        { tool: "read", input: { path: "greet.sh" } },
      ],
    },
    {
      expect: { result: "for name in" },
      otherwise: `The files of the tour are not here, so there is nothing to show. Start it with a bare \`pith\` or \
with \`--model faux/tour\`: it brings its own project.

${connect}`,
      text: `The test greets two people and expects two lines. \`greet.sh\` loops over \`"$1"\`, which is only the \
first name; \`"$@"\` is all of them.

I propose that change, and a second one that nobody asked for: it removes a comment. When pith asks about \
the edit, you can leave out one hunk: select it with the arrow keys and press Space.`,
      calls: [
        {
          tool: "edit",
          input: {
            path: "greet.sh",
            edits: [
              { oldText: '  for name in "$1"; do', newText: '  for name in "$@"; do' },
              { oldText: "# The end.\n", newText: "" },
            ],
          },
        },
      ],
    },
    {
      text: "Now I run the test. Commands ask too; the question says where the command will run.",
      calls: [{ tool: "bash", input: { command: "sh test.sh" } }],
    },
    {
      expect: { result: "1 test passed" },
      otherwise: `The test did not pass; perhaps you refused a change or the command. The result was:

{{result}}

\`pith help models\` says how to connect a model.`,
      text: `The test passes. That is how pith works: read, change, test, and list what changed.

Every change can be undone: \`/undo\` undoes the turn, \`/redo\` redoes it, \`/diff\` shows it hunk by hunk. \
\`pith help models\` says how to connect a model.`,
    },
    {
      text: `Sessions are saved: \`pith -c\` resumes the last one, \`/resume\` lists them, \`/tree\` goes back to any \
place in one. Only this tour is thrown away. Shift+Tab switches what runs without asking, \`?\` shows the keys.

${connect}`,
    },
    { text: `The tour is over, and a script cannot answer questions. ${connect}` },
  ],
  after: "repeat-last",
};
