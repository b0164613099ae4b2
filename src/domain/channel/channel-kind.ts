/**
 * A kind of channel, such as `slack`, or `group` for one that only refers to others. Each kind is defined in `transports/`; the services
 * know them all.
 */
export type ChannelKind = string
