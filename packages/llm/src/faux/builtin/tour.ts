import type { Script } from "../script.ts";

const source = `#!/bin/sh
# Greets everyone it is told: sh greet.sh ada bob
for name in "$1"; do
  echo "Hello, $name!"
done
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

const connect = `To talk to a real model:

- \`export OPENAI_API_KEY=…\` and start \`pith\` again, or
- \`export OPENAI_BASE_URL=http://127.0.0.1:11434/v1\` for a server of your own (it needs no key), and name the model: \
\`pith --model openai/<name>\`.

\`pith help models\` tells the rest.`;

/** Demonstrates pith on a project of two files, without a model. */
export const tour: Script = {
  name: "Scripted tour",
  project: { files: { "greet.sh": source, "test.sh": test } },
  chunkSize: 16,
  chunkDelayMs: 6,
  turns: [
    {
      text: `This is a scripted tour: the words are written in advance, no model is asked. The tools are real, and so \
is the small project they work on.

Its test fails. First I read the test and what it tests.`,
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
      text: `The test greets two people and wants two lines. \`greet.sh\` loops over \`"$1"\`, which is only the \
first name; \`"$@"\` is all of them.`,
      calls: [
        {
          tool: "edit",
          input: { path: "greet.sh", edits: [{ oldText: 'for name in "$1"; do', newText: 'for name in "$@"; do' }] },
        },
      ],
    },
    {
      text: "Now the test has to say whether that was right.",
      calls: [{ tool: "bash", input: { command: "sh test.sh" } }],
    },
    {
      expect: { result: "1 test passed" },
      otherwise: `The test did not pass here; perhaps a tool was not allowed to run. What it said:

{{result}}

${connect}`,
      text: `The test passes. The whole change is one line of \`greet.sh\`:

\`\`\`diff
-for name in "$1"; do
+for name in "$@"; do
\`\`\`

That is how pith works: read, change, check, and say what changed. This was the scripted tour. ${connect}`,
    },
    { text: `The tour is over, and a script cannot answer questions. ${connect}` },
  ],
  after: "repeat-last",
};
