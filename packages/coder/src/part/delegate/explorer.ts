import type { Channel, SessionTree } from "@pith/agent";
import { isScriptFile } from "@pith/llm";

/** The model that sub-agents of this session ask, where somebody has chosen one with `/explorer`. */
export class Explorer {
  static readonly kept = "pith.explorer";
  readonly #tree: SessionTree;
  readonly #channel: Channel;
  #said: { model: string | undefined } | undefined;

  constructor(tree: SessionTree, channel: Channel) {
    this.#tree = tree;
    this.#channel = channel;
  }

  get model(): string | undefined {
    if (this.#said) return this.#said.model;
    const { model } = (this.#tree.lastCustom(Explorer.kept)?.data ?? {}) as { model?: unknown };
    // Whoever wrote the record must not choose what is loaded and played.
    return typeof model === "string" && model !== "" && !isScriptFile(model) ? model : undefined;
  }

  /** Undefined goes back to what the settings say. */
  choose(model: string | undefined): void {
    this.#said = { model };
    this.#channel.record({ type: "custom", customType: Explorer.kept, data: { model: model ?? "" } });
  }
}
