import { expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { scratch, until } from "@pith/kit/test";
import { openOutside } from "./opener.ts";

test("a desktop is asked to open it; without one, over a network or without a program nothing is started", async () => {
  using dir = scratch();
  dir.write({ "bin/xdg-open": `#!/bin/sh\nprintf '%s' "$1" > "${dir.at("asked")}"\n`, "none/.keep": "" });
  chmodSync(dir.at("bin/xdg-open"), 0o755);
  const env = { PATH: `${dir.at("bin")}:/usr/bin:/bin`, DISPLAY: ":9" };
  for (const none of [{ PATH: env.PATH }, { ...env, SSH_TTY: "/dev/pts/1" }, { ...env, PATH: dir.at("none") }])
    expect(await openOutside("/x", none, "linux")).toBe("not");
  expect(existsSync(dir.at("asked"))).toBe(false);
  expect(await openOutside("/a b/'c'", env, "linux")).toBe("opened");
  await until(() => existsSync(dir.at("asked")) && readFileSync(dir.at("asked"), "utf8") === "/a b/'c'", "the opener");
});
