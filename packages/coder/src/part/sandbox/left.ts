import { join } from "node:path";
import { linkStat, plainText } from "@pith/kit";

/** Collects what calls of a turn name below `/tmp`, to tell people what of it lies in the session's own. */
export class LeftInTmp {
  readonly #names = new Set<string>();

  see(text: string): void {
    if (!text.includes("/tmp/")) return;
    for (const [, name = ""] of text.matchAll(/(?<![\w./-])\/tmp\/([\w.@%+=-][\w.@%+=/-]*)/g))
      if (this.#names.size < mostSeen && !name.split("/").includes("..")) this.#names.add(name.replace(/[./]+$/, ""));
  }

  /** Says which of them were written since the turn began; undefined where none was. */
  end(tmp: string | undefined, since: number): string | undefined {
    const names = [...this.#names];
    this.#names.clear();
    if (tmp === undefined) return undefined;
    // An empty file may be the place at which one of the machine is mounted.
    const left = names.filter((name) => {
      const stat = linkStat(join(tmp, name));
      return stat?.isFile() && stat.size > 0 && stat.mtimeMs >= since;
    });
    if (left.length === 0) return undefined;
    const named = left.slice(0, mostNamed).map((name) => `/tmp/${plainText(name)}`);
    const more = left.length > mostNamed ? `, and ${left.length - mostNamed} more` : "";
    return `Private /tmp, gone when the session ends: ${named.join(", ")}${more}`;
  }
}

const mostSeen = 200;
const mostNamed = 8;
