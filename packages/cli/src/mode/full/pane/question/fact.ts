import type { Question } from "@pith/agent";
import { pad, type Theme, wrap } from "@pith/tui";
import { type Fact, factsOf, visible, visibleLines } from "../../../../view/question/ask.ts";

/** Draws the command behind signs of ours, so that no line of it can be taken for a fact. */
export function commandRows(command: string, theme: Theme, columns: number): string[] {
  const inside = Math.max(1, columns - 2);
  return visibleLines(command).flatMap((line, at) =>
    wrap(line, inside).map((row, part) => {
      const sign = part > 0 ? " " : at > 0 ? ">" : "$";
      return `${theme.paint("dim", sign)} ${theme.paint("strong", row)}`;
    }),
  );
}

/** Draws facts in two columns; no value begins in the column of the names. */
export function factRows(question: Question, theme: Theme, columns: number): string[] {
  const facts = named(question);
  const wide = Math.min(widest, Math.max(0, ...facts.map(([name]) => name.length)));
  return facts.flatMap(([name, value], at) => {
    const lines = visibleLines(value).flatMap((line) => wrap(line, Math.max(1, columns - wide - 2)));
    const long = name.length > wide;
    const again = facts[at - 1]?.[0] === name;
    const rows = lines.map((line, row) => {
      const left = row === 0 && !long && !again ? name : "";
      return `${theme.paint("dim", pad(left, wide))}  ${name === "risk" ? theme.paint("warn", line) : line}`;
    });
    return long ? [...wrap(name, columns).map((row) => theme.paint("dim", row)), ...rows] : rows;
  });
}

const widest = 12;

function named(question: Question): Fact[] {
  const { text, parts = [] } = question;
  const why = Map.groupBy(parts.length > 1 ? parts : [], ({ reason }) => reason);
  // A reason that several commands share is said once.
  const because = [...why].flatMap(([reason, asked]): Fact[] => {
    const of = asked.map(({ text }) => text.replaceAll("\n", "\\n")).join("; ");
    return reason === undefined ? [] : [["because", `${reason}: ${of}`]];
  });
  const known = factsOf({ ...question, parts: [], scope: undefined });
  // Facts that the head has word for word are left out.
  const said = (value: string) => [" ", ": "].some((end) => ` ${text} `.includes(` ${value}${end}`));
  const news = known.filter(([name, value]) => name !== "runs" && !(/^(?:read|write)s$/.test(name) && said(value)));
  return [...news.filter(([name]) => name !== "risk"), ...because, ...news.filter(([name]) => name === "risk")].map(
    ([name, value]) => [visible(name), value],
  );
}
