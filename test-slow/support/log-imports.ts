/** A preload script that prints every OpenTelemetry file that the process loads to standard error. */
import { plugin } from 'bun'

plugin({
  name: 'log imports',
  setup(build) {
    build.onLoad({ filter: /\/node_modules\/@opentelemetry\// }, async ({ path }) => {
      process.stderr.write(`loaded ${path}\n`)
      return { contents: await Bun.file(path).text(), loader: 'js' }
    })
  },
})
