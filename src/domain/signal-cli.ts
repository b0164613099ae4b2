/** The words in which a call of signal-cli and its answer are told; carrying it out is `delivery/signal-cli.ts`. */

/** A JSON-RPC call over the socket of a signal-cli daemon. */
export interface SignalCall {
  /** path of a Unix socket, or `host:port` */
  readonly socket: string
  /** names the call in its answer */
  readonly id: string
  readonly method: 'send'
  readonly params: Readonly<Record<string, unknown>>
}

export type SignalAnswer =
  /** the `result` of the answer, or its `error`, whichever there is */
  | { readonly kind: 'answered'; readonly result?: unknown; readonly error?: unknown }
  | { readonly kind: 'unreachable'; readonly error: string }

/** Makes a call. Never throws, and has an end. */
export type SignalCaller = (call: SignalCall) => Promise<SignalAnswer>
