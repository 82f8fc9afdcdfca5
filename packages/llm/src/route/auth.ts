/** Authentication of a request. */
export interface Auth {
  headers: Readonly<Record<string, string>>;
  /** Variable that the user sets to change it. */
  variable: string;
  secrets: readonly string[];
  /** Adds headers that depend on the body. */
  sign?(message: UnsignedRequest): Readonly<Record<string, string>>;
}

export interface UnsignedRequest {
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | string;
  now: number;
}
