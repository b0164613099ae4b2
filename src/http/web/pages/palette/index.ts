/** The palette's contents. The palette's dialog is in `layout/palette.ts`, and its script is in `browser/palette/`. */
import type { Page } from '../../page.ts'
import palette from './palette.css' with { type: 'text' }
import { paletteRoutes } from './routes.ts'

/** Media type of the fragments that the palette loads. */
const PART = 'text/html; charset=utf-8'

export const page = {
  routes: paletteRoutes,
  help: 'pages#the-palette',
  lastStyles: [palette],
  fixtures: {
    'GET /palette': { for: 'people', at: '/palette?p={project}', type: PART },
    'GET /palette/output': { for: 'people', at: '/palette/output?q=harbour', type: PART },
    'GET /p/:project/checks/:check/ping-url': { for: 'write', type: 'text/plain; charset=utf-8' },
  },
} satisfies Page
