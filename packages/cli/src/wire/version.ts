/** Version of the names and shapes on the wire: it grows when one is taken away or means something else. */
export const wireVersion = 1;
