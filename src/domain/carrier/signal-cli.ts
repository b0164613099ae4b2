/** A call to signal-cli and its answer; `delivery/signal-cli.ts` makes it. */

/** A JSON-RPC call over the socket of a signal-cli daemon. */
export interface SignalCall {
  /** path of a Unix socket, or `host:port` */
  readonly socket: string
  /** identifies the call in its answer */
  readonly id: string
  readonly method: 'send'
  readonly params: Readonly<Record<string, unknown>>
}

export type SignalAnswer =
  /** the `result` or the `error` of the answer */
  | { readonly kind: 'answered'; readonly result?: unknown; readonly error?: unknown }
  | { readonly kind: 'unreachable'; readonly error: string }

/** Makes a call. Never throws, and always settles. */
export type SignalCaller = (call: SignalCall) => Promise<SignalAnswer>
