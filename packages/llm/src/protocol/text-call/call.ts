/** A call as a model wrote it; its arguments are JSON where they came whole, and stay as they were written elsewhere. */
export interface WrittenCall {
  name: string;
  args: string;
}

export interface ParsedCalls {
  calls: WrittenCall[];
  length: number;
}
