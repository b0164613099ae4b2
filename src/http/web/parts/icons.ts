/** Icons and the logo as inline SVG. Icons have a 16 px grid and 1.5 px lines, in the text color. */
import { Html, html } from '../html.ts'

const PATHS = {
  key: '<circle cx="5" cy="10.5" r="3"/><path d="m7.2 8.3 6-6M11 4.5l2 2"/>',
  list: '<path d="M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.1M2.5 8h.1M2.5 12h.1"/>',
  globe: '<circle cx="8" cy="8" r="6.2"/><path d="M1.8 8h12.4M8 1.8c4 4 4 8.4 0 12.4M8 1.8c-4 4-4 8.4 0 12.4"/>',
  gear: '<path d="M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6"/><circle cx="10" cy="4.5" r="2"/><circle cx="6" cy="11.5" r="2"/>',
  folder: '<path d="M1.5 4.5v8a1 1 0 0 0 1 1h11a1 1 0 0 0 1-1v-7a1 1 0 0 0-1-1H8L6.5 2.5h-4a1 1 0 0 0-1 1z"/>',
  pulse: '<path d="M1.5 8.5h3l2-5 3 9 2-4h3"/>',
  moon: '<path d="M13.5 9.8A6 6 0 0 1 6.2 2.5a6 6 0 1 0 7.3 7.3z"/>',
  more: '<path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11"/>',
  right: '<path d="m6.5 4 4 4-4 4"/>',
  plus: '<path d="M8 3v10M3 8h10"/>',
  down: '<path d="m4 6.5 4 4 4-4"/>',
  left: '<path d="m9.5 4-4 4 4 4"/>',
  copy: '<rect x="5.5" y="5.5" width="8" height="8.5" rx="1.5"/><path d="M10.5 3.5V3a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v7a1 1 0 0 0 1 1H3"/>',
  cross: '<path d="m4 4 8 8m0-8-8 8"/>',
  tick: '<path d="m3 8.5 3.2 3.2L13 4.8"/>',
  file: '<path d="M4 1.8h5.5L13 5.3v9H4zM9.5 1.8v3.5H13"/>',
  badge: '<rect x="1.5" y="5" width="13" height="6" rx="1.5"/><path d="M8 5v6"/>',
  mail: '<rect x="1.5" y="3" width="13" height="10" rx="1.5"/><path d="m2 4 6 5 6-5"/>',
  clock: '<circle cx="8" cy="8" r="6.2"/><path d="M8 4.5V8l2.5 1.5"/>',
  send: '<path d="M14 2 2 6.8l4.8 2.1L9 13.8zM6.8 8.9 14 2"/>',
  edit: '<path d="m10.8 2.5 2.7 2.7L5.5 13.2l-3.3.6.6-3.3z"/>',
  dots: '<path d="M3 8h.1M8 8h.1M13 8h.1" stroke-width="2.2"/>',
  search: '<circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/>',
  tag: '<path d="M2 8.3V2.5h5.8l6 6-5.6 5.7zM5 5.5h.1"/>',
  pause: '<path d="M5.5 3v10M10.5 3v10"/>',
  resume: '<path d="M5 3v10l8-5z"/>',
  trash: '<path d="M2.5 4h11M6 4V2.5h4V4M4 4l.7 9.5h6.6L12 4"/>',
  bell: '<path d="M3.5 11.5h9c-1-1-1.2-2.2-1.2-4.5a3.3 3.3 0 0 0-6.6 0c0 2.3-.2 3.5-1.2 4.5zM6.8 13.800h2.400"/>',
  mute: '<path d="M3.5 11.5h9c-1-1-1.2-2.2-1.2-4.5a3.3 3.3 0 0 0-6.6 0c0 2.3-.2 3.5-1.2 4.5zM6.8 13.8h2.4M2 2l12 12"/>',
  hand: '<path d="M5 8.5V4a1 1 0 0 1 2 0v3.5M7 7V2.8a1 1 0 0 1 2 0V7M9 7V3.8a1 1 0 0 1 2 0V8M11 8V5.8a1 1 0 0 1 2 0V10c0 2.5-1.5 4.5-4 4.5-2 0-3-.8-4-2.5L2.8 9.3c-.5-.9.7-1.7 1.4-.9L5 9.5"/>',
  note: '<path d="M2.5 2.5h11v8h-5l-3 3v-3h-3z"/>',
  plug: '<path d="M5.5 1.8v3M10.5 1.8v3M3.5 5h9v2.5a4.5 4.5 0 0 1-9 0zM8 12v2.3"/>',
  users:
    '<circle cx="6" cy="5.5" r="2.5"/><path d="M1.200 13.500c.4-2.800 2.200-4 4.800-4s4.400 1.200 4.800 4M10.500 3.200a2.500 2.500 0 0 1 0 4.600M12 9.700c1.700.5 2.600 1.800 2.800 3.800"/>',
  bulb: '<path d="M6 12.5h4M6.5 14.5h3M5.8 10.5C4.5 9.6 3.8 8.3 3.8 6.8a4.2 4.2 0 0 1 8.4 0c0 1.5-.7 2.8-2 3.7z"/>',
  user: '<circle cx="8" cy="5.5" r="2.8"/><path d="M2.5 14c.5-3 2.5-4.5 5.5-4.5s5 1.5 5.5 4.5"/>',
} as const

export type IconName = keyof typeof PATHS

/** Renders an icon. Screen readers skip it, because the text next to it has the same meaning. @param extra additional classes */
export function icon(name: IconName, extra = ''): Html {
  const classes = extra === '' ? 'i' : `i ${extra}`
  return html`<svg class="${classes}" viewBox="0 0 16 16" aria-hidden="true">${new Html(PATHS[name])}</svg>`
}

/** Renders the logo, which shows bars for runs, one of them missing. @param size width and height in px */
export function logo(size: number): Html {
  return html`<svg class="logo" width="${size}" height="${size}" viewBox="0 0 20 20" aria-hidden="true"><g fill="currentColor"><rect x="1" y="6" width="3" height="12" rx="1"/><rect x="6" y="3" width="3" height="15" rx="1"/><rect x="16" y="5" width="3" height="13" rx="1"/></g><rect class="gap" x="11.6" y="13.6" width="1.8" height="3.8" rx=".6" fill="none" stroke-width="1.3"/></svg>`
}
