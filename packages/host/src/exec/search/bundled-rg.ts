// The bundler embeds a file only when an import names it literally, and folds `process.platform` and
// `process.arch`: so there is one line per platform, of which a compiled binary carries one.
import { fileURLToPath } from "node:url";
import { isBun } from "../../platform.ts";

/** The shipped ripgrep: a path in node_modules, or inside the compiled binary. */
export async function bundledRg(): Promise<string | undefined> {
  try {
    if (!isBun) return fileURLToPath(import.meta.resolve(nodeName));
    if (process.platform === "linux" && process.arch === "x64")
      return (await import("@vscode/ripgrep-linux-x64/bin/rg", { with: { type: "file" } })).default;
    if (process.platform === "linux" && process.arch === "arm64")
      return (await import("@vscode/ripgrep-linux-arm64/bin/rg", { with: { type: "file" } })).default;
    if (process.platform === "darwin" && process.arch === "x64")
      return (await import("@vscode/ripgrep-darwin-x64/bin/rg", { with: { type: "file" } })).default;
    if (process.platform === "darwin" && process.arch === "arm64")
      return (await import("@vscode/ripgrep-darwin-arm64/bin/rg", { with: { type: "file" } })).default;
    if (process.platform === "win32" && process.arch === "x64")
      return (await import("@vscode/ripgrep-win32-x64/bin/rg.exe", { with: { type: "file" } })).default;
  } catch {
    // Its package is not installed.
  }
  return undefined;
}

/** Node cannot import a file; its package is found by the same rules. */
const onWindows = process.platform === "win32";
const nodeName = `@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg${onWindows ? ".exe" : ""}`;
