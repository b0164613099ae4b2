/**
 * A kind of channel, such as `slack`. `transports/` defines all kinds except `group`, which only refers to other channels.
 * `services/channels/channel-kinds.ts` lists every kind.
 */
export type ChannelKind = string
