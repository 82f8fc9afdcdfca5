import type { Message } from "../message/message.ts";
import type { Compat } from "../model/compat.ts";
import type { Model } from "../model/model.ts";
import { Arranger } from "./history.ts";
import { Joiner } from "./join.ts";

/** Encodes requests for one model, and keeps what has been encoded. Messages are never changed in place. */
export class EncodeCache<E> {
  readonly model: Model;
  readonly compat: Compat;
  readonly seesImages: boolean;
  readonly #known = new WeakMap<object, E>();
  readonly #arranger = new Arranger();
  readonly #joiner: Joiner;

  constructor(model: Model, defaults: Compat) {
    this.model = model;
    this.compat = { ...defaults, ...model.compat };
    this.#joiner = new Joiner(this.compat);
    this.seesImages = model.input.includes("image");
  }

  /** The history, arranged for this protocol. */
  arranged = (messages: readonly Message[]): Message[] => this.#joiner.join(this.#arranger.arrange(messages));

  /** Encodes an object once, so that a step costs only what is new. */
  once<T extends object>(source: T, encode: (source: T, desk: EncodeCache<E>) => E): E {
    const known = this.#known.get(source);
    if (known !== undefined) return known;
    const fresh = encode(source, this);
    this.#known.set(source, fresh);
    return fresh;
  }
}

/** A cache per model, since models differ in the bytes of a message. */
export function encodeCaches<E>(defaults: Compat): (model: Model) => EncodeCache<E> {
  const open = new WeakMap<Model, EncodeCache<E>>();
  return (model) => {
    const known = open.get(model);
    if (known) return known;
    const desk = new EncodeCache<E>(model, defaults);
    open.set(model, desk);
    return desk;
  };
}
