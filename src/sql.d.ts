/** Lets `import … with { type: 'text' }` bring in SQL files as strings. */
declare module '*.sql' {
  const text: string
  export default text
}
