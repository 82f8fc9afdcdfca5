import type { Channel, SessionTree } from "@pith/agent";
import { recordOf } from "@pith/kit";
import { isScriptFile } from "@pith/llm";

/** The model of sub-agents, if `/explorer` has chosen one in this session. */
export class Explorer {
  static readonly kept = "pith.explorer";
  readonly #tree: SessionTree;
  readonly #channel: Channel;
  #chosen: { model: string | undefined } | undefined;

  constructor(tree: SessionTree, channel: Channel) {
    this.#tree = tree;
    this.#channel = channel;
  }

  get model(): string | undefined {
    if (this.#chosen) return this.#chosen.model;
    const { model } = recordOf(this.#tree.lastCustom(Explorer.kept)?.data);
    // A record from elsewhere must not name a script of the faux model.
    return typeof model === "string" && model !== "" && !isScriptFile(model) ? model : undefined;
  }

  /** Chooses a model; undefined goes back to the settings. */
  choose(model: string | undefined): void {
    this.#chosen = { model };
    this.#channel.record({ type: "custom", customType: Explorer.kept, data: { model: model ?? "" } });
  }
}
