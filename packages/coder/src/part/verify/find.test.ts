import { expect, test } from "bun:test";
import { scratch } from "@pith/kit/test";
import { findCheck } from "./find.ts";

const projects: [Record<string, string>, string | undefined, string?][] = [
  [{ "package.json": '{"scripts":{"test":"jest","lint":"eslint ."}}' }, "npm run lint", "eslint ."],
  [{ "package.json": '{"scripts":{"check":"tsc"}}', "pnpm-lock.yaml": "" }, "pnpm run check", "tsc"],
  [{ "package.json": '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' }, undefined],
  [
    { "package.json": '{"scripts":{"build":"x"}}', Makefile: "test: a b\n\tgo test\n\tgo vet\n\nb:\n\tx\n" },
    "make test",
    "go test\ngo vet",
  ],
  [{ Makefile: "check := no\nlint:\n" }, "make lint"],
  [{ Makefile: "recheck:\n\tx\n" }, undefined],
  [{ justfile: "check *args:\n    cargo clippy\n" }, undefined],
  [{ justfile: "lint:\n    cargo clippy\n" }, "just lint", "cargo clippy"],
  [{ "pyproject.toml": "[project]\nname = 'a'\n[tool.ruff.lint]\nselect = ['E']\n" }, "ruff check ."],
  [{ "pyproject.toml": "[project]\nname = 'a'\n" }, undefined],
  [{ "deno.json": '{"tasks":{"check":"deno check ."}}' }, "deno task check", "deno check ."],
  [{ "composer.json": '{"scripts":{"test":["phpunit","phpstan"]}}' }, "composer run test", "phpunit\nphpstan"],
  [{ "Cargo.toml": "" }, "cargo check"],
  [{ "go.mod": "" }, "go vet ./..."],
  [{ "package.json": "{", "go.mod": "" }, "go vet ./..."],
  [{ "package.json": '{"scripts":5}' }, undefined],
  [{ "package.json": "null" }, undefined],
];

test.each(projects)("a project with %j is checked by its own command", (...[files, command, does]) => {
  using dir = scratch();
  dir.write({ ".keep": "", ...files });
  expect(findCheck(dir.path)).toEqual(
    command === undefined ? undefined : { command, ...(does === undefined ? {} : { does }) },
  );
});
