/**
 * A kind of channel, such as `slack`, or `group` for one that only refers to others. `transports/` defines every kind except `group`, and
 * `services/channels/channel-kinds.ts` lists them all.
 */
export type ChannelKind = string
