import type { AssignedVariable } from "@pith/host";
import { literalText } from "../../../bash/expand.ts";
import type { Parsed } from "../../../bash/parse.ts";
import type { List, ShellSyntax, Simple } from "../../../bash/tree.ts";

/** Lists the variables of the shell that a text assigns word for word; the last value of each counts. */
export function assignedIn(read: Parsed): AssignedVariable[] {
  const found = new Map<string, AssignedVariable>();
  const visit = ({ items }: List) => {
    for (const { pipeline, behind } of items)
      if (behind !== "&" && pipeline.commands.length === 1) for (const one of pipeline.commands) visitCommand(one);
  };
  const visitCommand = (command: ShellSyntax) => {
    if (command.kind === "compound" && command.is !== "subshell") command.lists.forEach(visit);
    if (command.kind !== "simple") return;
    for (const one of assignments(command)) {
      const isExported = one.exported || found.get(one.name)?.exported === true;
      found.set(one.name, { name: one.name, value: one.value, exported: isExported });
    }
  };
  if (read.ok) visit(read.value);
  return [...found.values()];
}

function assignments({ assigns, words }: Simple): AssignedVariable[] {
  // Before a program they are the program's own.
  if (words.length === 0)
    return assigns.flatMap(({ name, subscript, append, elements, value }) => {
      const text = subscript || append || elements ? undefined : literalText(value);
      return text === undefined ? [] : [{ name, value: text, exported: false }];
    });
  const [program, ...rest] = words.map(literalText);
  if (program !== "export") return [];
  return rest.flatMap((word) => {
    const [, name, value] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(word ?? "") ?? [];
    return name === undefined || value === undefined ? [] : [{ name, value, exported: true }];
  });
}
