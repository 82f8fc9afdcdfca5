// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
import { expect, test } from "bun:test";
import { findShell } from "./find.ts";

test("the shell is bash, sh without it, Git's on Windows, and never the user's own or WSL's", () => {
  const find = (platform: NodeJS.Platform, files: string[], env = {}) =>
    findShell({ platform, env: { SHELL: "/bin/zsh", ...env }, exists: (path) => files.includes(path) });
  expect(find("linux", ["/bin/sh", "/usr/bin/bash", "/bin/zsh"])).toEqual({ path: "/usr/bin/bash", dialect: "bash" });
  expect(find("linux", ["/bin/sh", "/nix/bin/bash"], { PATH: "relative:/nix/bin" })?.path).toBe("/nix/bin/bash");
  expect(find("linux", ["/bin/sh"])).toEqual({ path: "/bin/sh", dialect: "sh" });
  expect(find("darwin", ["/bin/sh", "/opt/homebrew/bin/bash"])?.path).toBe("/opt/homebrew/bin/bash");
  const git = "C:\\Program Files\\Git\\bin\\bash.exe";
  const windows = { ProgramFiles: "C:\\Program Files", PATH: "C:\\Windows\\System32;D:\\tools" };
  expect(find("win32", [git, "C:\\Windows\\System32\\bash.exe"], windows)).toEqual({ path: git, dialect: "bash" });
  expect(find("win32", ["C:\\Windows\\System32\\bash.exe"], windows)).toBeUndefined();
  expect(find("win32", ["D:\\tools\\bash.exe"], windows)?.path).toBe("D:\\tools\\bash.exe");
});
