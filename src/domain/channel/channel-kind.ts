/**
 * The word for a kind of channel, such as `slack`, or `group` for one that only names others. Each kind describes itself in
 * `transports/`; the services know them all.
 */
export type ChannelKind = string
