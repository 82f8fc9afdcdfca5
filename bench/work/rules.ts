// 20,000 tokens watched by 200 rules that each have a word to look for. The floor only puts the tokens together.
import { readCondition } from "../../packages/coder/src/capability/read/condition.ts";
import { RuleMatcher } from "../../packages/coder/src/part/stream-rules/matcher.ts";
import type { StreamRule } from "../../packages/coder/src/part/stream-rules/rule.ts";
import type { Work } from "../work.ts";

const tokens = Array.from({ length: 20_000 }, (_, at) => (at % 12 === 11 ? ";\n" : `tok${at % 97} `));
const rounds = 9;

const rules = Array.from({ length: 200 }, (_, at): StreamRule => {
  const read = readCondition(`\\bforbiddenName${at}\\s*\\(`);
  if (!read.ok) throw new Error(read.message);
  return {
    name: `rule-${at}`,
    watch: { conditions: [read.value], patterns: [], scopes: [] },
    minds: () => true,
  };
});

/** Microseconds a token: the middle one of some rounds. */
function each(take: (token: string) => void, begin: () => void): number {
  const took = Array.from({ length: rounds }, () => {
    begin();
    const began = performance.now();
    for (const token of tokens) take(token);
    return ((performance.now() - began) * 1000) / tokens.length;
  });
  return took.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
}

export default {
  title: "a stream watched by 200 rules",
  async pith() {
    let loaded = 0;
    const watch = new RuleMatcher(rules, () => {
      loaded++;
      throw new Error("no word has come");
    });
    const took = each(
      (token) => {
        watch.push("text", { of: "text" }, token);
        if (watch.look()) loaded++;
      },
      () => watch.reset(),
    );
    if (loaded > 0) throw new Error("the engine was wanted without a word");
    return { token: took };
  },
  async floor() {
    let text = "";
    const took = each(
      (token) => {
        text += token;
      },
      () => {
        text = "";
      },
    );
    return { token: text === "" ? 0 : took };
  },
  measures: [{ of: "token", title: "per token", unit: "µs", goal: { atMost: 5 } }],
} satisfies Work;
