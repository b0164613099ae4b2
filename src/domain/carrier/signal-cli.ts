/** A call to signal-cli, and its answer. `delivery/signal-cli.ts` makes the call. */

/** A JSON-RPC call that is sent to the socket of a signal-cli daemon. */
export interface SignalCall {
  /** path of a Unix socket, or `host:port` */
  readonly socket: string
  /** id of the call, which the answer repeats */
  readonly id: string
  readonly method: 'send'
  readonly params: Readonly<Record<string, unknown>>
}

export type SignalAnswer =
  /** the `result` or the `error` in the answer */
  | { readonly kind: 'answered'; readonly result?: unknown; readonly error?: unknown }
  | { readonly kind: 'unreachable'; readonly error: string }

/** Makes a call. Never throws, and always settles. */
export type SignalCaller = (call: SignalCall) => Promise<SignalAnswer>
