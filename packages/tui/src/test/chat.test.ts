import { expect, test } from "bun:test";
import { createScreen } from "../screen/screen.ts";
import { markdownRows } from "../text/markdown.ts";
import { createMarkdownStream } from "../text/stream.ts";
import { fit, strip } from "../text/width.ts";
import { builtinTheme } from "../theme/palette.ts";
import { createTranscript } from "../transcript/transcript.ts";
import { createSpinner } from "../widget/spinner.ts";
import { random } from "./operation.ts";
import { chrome } from "./stage.ts";
import { createFakeTimers } from "./timers.ts";
import { createVirtualTerminal } from "./virtual-terminal.ts";

// A conversation as it is had: answers stream in, in any portions, into a window that is smaller than they are.

const theme = builtinTheme({ level: "256" });
const setting = { theme };

test("whatever a model writes into however small a window, the terminal ends with every row once, in order", () => {
  for (let seed = 1; seed <= 16; seed++) converse(seed, "steady");
}, 120_000);

test("the same while the window is being dragged", () => {
  for (let seed = 1; seed <= 8; seed++) converse(seed, "dragged");
}, 120_000);

function converse(seed: number, hand: "steady" | "dragged") {
  const pick = random(seed);
  const terminal = createVirtualTerminal(15 + pick(70), 3 + pick(20));
  const timers = createFakeTimers();
  const said: string[] = [];
  const transcript = createTranscript();
  const spinner = createSpinner(theme, timers, (pane) => screen.requestPane(pane));
  const screen = createScreen({ tty: terminal, timers, panes: [transcript, spinner, chrome("> ", "status")] });
  screen.start();
  for (let turn = 0; turn < 3; turn++) {
    const source = document(pick);
    said.push(source);
    const stream = createMarkdownStream(setting);
    const block = {
      render: (columns: number) => stream.rows(columns),
      final: false,
      get settled() {
        return stream.settled;
      },
    };
    transcript.add(block);
    spinner.start("working");
    for (let at = 0; at < source.length; ) {
      const size = 1 + pick(pick(4) === 0 ? 40 : 5);
      stream.append(source.slice(at, at + size));
      at += size;
      screen.requestPane(transcript);
      timers.advance(pick(60));
      if (hand === "dragged" && pick(60) === 0) {
        terminal.resize(10 + pick(80), 2 + pick(25));
        screen.resized();
      }
    }
    stream.finish();
    block.final = true;
    spinner.stop();
    screen.now();
    timers.advance(500);
    const rows = said.flatMap((each, index) => [
      ...(index > 0 ? [""] : []),
      ...markdownRows(each, terminal.columns, setting),
    ]);
    const expected = rows.map((row) => strip(fit(row, terminal.columns)).trimEnd());
    const tape = terminal.tape();
    const first = tape.findIndex((row) => row !== "");
    expect([seed, turn, tape.slice(first, first + expected.length)]).toEqual([seed, turn, expected]);
  }
}

function document(pick: (below: number) => number): string {
  const words =
    "the quick 日本語 한국어 café **bold** `code` *soft* [link](https://example.org/a) 👨‍👩‍👧 _one_ file".split(" ");
  const some = (count: number) => Array.from({ length: count }, () => words[pick(words.length)]).join(" ");
  const many = (most: number, make: (at: number) => string) =>
    Array.from({ length: 1 + pick(most) }, (_, at) => make(at));
  const kinds = [
    () => `w${some(4 + pick(60))}`,
    () => `## ${some(4)}`,
    () => many(14, () => `- x${some(1 + pick(12))}`).join(pick(3) === 0 ? "\n\n" : "\n"),
    () => many(14, (at) => `${at + 1}. x${some(1 + pick(6))}`).join(pick(3) === 0 ? "\n\n" : "\n"),
    () => `\`\`\`ts\n${many(20, (at) => `const x${at} = 1; // ${some(4)}`).join("\n")}\n\`\`\``,
    () => `| a | b |\n|---|---|\n${many(8, () => `| ${some(1)} | ${some(3)} |`).join("\n")}`,
    () => `> ${some(12)}\n> - ${some(3)}\n> - ${some(3)}`,
    () => `- first\n  - nested ${some(5)}\n\n    more ${some(9)}\n\n  \`\`\`\n  code\n  \`\`\`\n- last`,
    () => `Title ${some(3)}\n===`,
  ];
  return many(5, () => kinds[pick(kinds.length)]?.() ?? "").join("\n\n");
}
