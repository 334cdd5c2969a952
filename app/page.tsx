export default function Home() {
  return <main>Atelier</main>;
}
