import { expect, test } from "bun:test";
import { said } from "../test/command.ts";
import { type Command, show } from "./command.ts";
import { CommandTable } from "./table.ts";

const command = (name: string, more: Partial<Command> = {}): Command => ({
  name,
  about: `about ${name}`,
  when: "any time",
  run: (words) => show(`${name}(${words})`),
  ...more,
});

function table(...commands: Command[]): CommandTable {
  const made = new CommandTable();
  made.add(commands);
  return made;
}

test("a name behind a slash is a command, alone or before what belongs to it", async () => {
  const words = { usage: "[words]" };
  const commands = table(command("undo"), command("todo", words), command("skill:pdf-form", words));
  const does = async (text: string) => {
    const typed = commands.read(text);
    return typed.is === "command" ? said(typed.command, typed.words) : typed.is;
  };
  expect(await does("/undo")).toBe("undo()");
  expect(await does("  /undo \n")).toBe("undo()");
  expect(await does("/todo  add  x ")).toBe("todo(add  x)");
  expect(await does("/todo # N\n- [ ] x")).toBe("todo(# N\n- [ ] x)");
  expect(await does("/skill:pdf-form a.pdf")).toBe("skill:pdf-form(a.pdf)");
});

test("other text with slashes goes to the model", () => {
  const commands = table(command("undo"));
  for (const text of [
    "undo",
    "please /undo",
    "/",
    "/ undo",
    "//undo",
    "/undo/it",
    "/undo.",
    "/Undo",
    "/2 of them",
    "/usr/bin/env is where it is",
    "",
  ])
    expect([text, commands.read(text).is]).toEqual([text, "text"]);
});

test("what exists as a path is a path, and a command that is called like one is still a command", () => {
  expect(table().read("/tmp")).toEqual({ is: "text" });
  expect(table().read("/tmp is full")).toEqual({ is: "text" });
  expect(table(command("tmp")).read("/tmp").is).toBe("command");
});

test("an unknown name is answered with the nearest ones", () => {
  const commands = table(command("undo"), command("usage"), command("history", { aliases: ["past"] }));
  const answer = (text: string) => {
    const typed = commands.read(text);
    return typed.is === "unknown" ? typed.message : typed.is;
  };
  expect(answer("/udno")).toBe("There is no command /udno. Did you mean /undo? /help lists them all.");
  expect(answer("/hist for me")).toBe("There is no command /hist. Did you mean /history? /help lists them all.");
  expect(answer("/pats")).toContain("Did you mean /past?");
  expect(answer("/xylophone")).toBe("There is no command /xylophone. /help lists them all.");
});

test("another name means the same command, unless a command has that name", async () => {
  const commands = table(command("quit", { aliases: ["exit", "undo"] }), command("undo"));
  expect(commands.read("/exit")).toMatchObject({ is: "command", command: { name: "quit" } });
  expect(commands.read("/undo")).toMatchObject({ is: "command", command: { name: "undo" } });
});

test("a name that is taken stays with who has it", () => {
  const commands = table(command("undo"));
  const more = [command("undo", { about: "another" }), command("redo"), command("help"), command("redo")];
  expect(commands.add(more)).toEqual(["undo", "help", "redo"]);
  expect(commands.rows.map(({ name, about }) => [name, about])).toEqual([
    ["help", "show this list"],
    ["undo", "about undo"],
    ["redo", "about redo"],
  ]);
});

test("help is made of the table", async () => {
  const commands = table(command("todo", { usage: "[add <task>]" }), command("undo"));
  const [help] = commands.rows;
  expect(await said(help)).toBe(
    [
      `/help${" ".repeat(13)}  show this list`,
      "/todo [add <task>]  about todo",
      `/undo${" ".repeat(13)}  about undo`,
    ].join("\n"),
  );
  commands.add([command("late")]);
  expect(commands.help()).toContain("about late");
});

test("names are completed, and then what may stand behind them", async () => {
  const asked: string[] = [];
  const complete = (words: string) => {
    asked.push(words);
    return ["cancel", "detach"].filter((word) => word.startsWith(words));
  };
  const commands = table(
    command("jobs", { complete, usage: "[cancel|detach <id>]" }),
    command("undo"),
    command("usage"),
  );
  expect(await commands.complete("/")).toEqual(["/help", "/jobs", "/undo", "/usage"]);
  expect(await commands.complete("/u")).toEqual(["/undo", "/usage"]);
  expect(await commands.complete("/jobs d")).toEqual(["detach"]);
  expect(await commands.complete("/jobs ")).toEqual(["cancel", "detach"]);
  expect(await commands.complete("/undo x")).toEqual([]);
  expect(await commands.complete("/tmp/a")).toEqual([]);
  expect(await commands.complete("text /u")).toEqual([]);
  // Where the next word begins it is not the last one that is completed.
  await commands.complete("/jobs cancel ");
  expect(asked).toEqual(["d", "", "cancel "]);
});

test("words behind a command that takes none are neither lost nor carried out", () => {
  const typed = table(command("keep")).read("/keep going until it works");
  expect(typed).toMatchObject({ is: "unknown", message: expect.stringContaining("/keep takes no words") });
});
