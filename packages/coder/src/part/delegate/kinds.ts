import { type ResultKind, schema as s } from "@pith/agent";
import { plural } from "@pith/kit";

/** Words for the states of a task that is not done. */
const states = {
  waiting: "waits",
  running: "works",
  done: "",
  limit: "reached its limit",
  failed: "failed",
  interrupted: "interrupted",
} as const;
const callStates = ["running", "done", "failed"] as const;

/** The work of a sub-agent, while it runs or when it has ended. */
export interface TaskData {
  /** Names its record and report, `history://<id>` and `agent://<id>`; undefined when nothing was recorded. */
  id?: string;
  mode: string;
  title: string;
  description?: string;
  model?: string;
  state: keyof typeof states;
  /** The last calls; `callCount` is the number of all. */
  calls: TaskCall[];
  callCount: number;
  /** The end of its thinking. */
  thinking?: string;
  tokens: number;
  cost: number;
}

export interface TaskCall {
  tool: string;
  about: string;
  state: (typeof callStates)[number];
}

export const kinds: { task: ResultKind<TaskData> } = {
  task: {
    schema: () =>
      s.objectOf<TaskData>({
        id: s.string().optional(),
        mode: s.string(),
        title: s.string(),
        description: s.string().optional(),
        model: s.string().optional(),
        state: s.oneOf(Object.keys(states)),
        calls: s.array(s.object({ tool: s.string(), about: s.string(), state: s.oneOf(callStates) })),
        callCount: s.int(),
        thinking: s.string().optional(),
        tokens: s.int(),
        cost: s.number(),
      }),
    brief({ title, state, callCount }) {
      const how = state === "done" ? "" : `${states[state] ?? String(state)}, `;
      return `${title}: ${how}${plural(callCount, "call")}`;
    },
  },
};
