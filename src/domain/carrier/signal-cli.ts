/** A call to signal-cli, and the response. `delivery/signal-cli.ts` makes the call. */

/** A JSON-RPC call to the socket of a signal-cli daemon. */
export interface SignalCall {
  /** path of a Unix socket, or `host:port` */
  readonly socket: string
  /** id of the call, repeated in the response */
  readonly id: string
  readonly method: 'send'
  readonly params: Readonly<Record<string, unknown>>
}

export type SignalAnswer =
  /** the response's `result` or `error` */
  | { readonly kind: 'answered'; readonly result?: unknown; readonly error?: unknown }
  | { readonly kind: 'unreachable'; readonly error: string }

/** Makes a call to signal-cli. Failures are returned, never thrown. */
export type SignalCaller = (call: SignalCall) => Promise<SignalAnswer>
