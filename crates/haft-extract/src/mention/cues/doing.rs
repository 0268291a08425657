//! Words by which a text says that a call is made, and words that only look like them.

use super::Words;
use crate::mention::search::Cues;

/// What is done now, or is about to be.
pub(in crate::mention) static INTENT: Cues = Cues::new(
    "
we can use, we can call, we need to call, we need to use, we will, we'll,
i'll, i will, i'm going to, i am going to, let me, let's, allow me to,
i'm calling, i am calling, i'm running, i am running, i call, calling, executing,
invoking, fetching, looking up, checking, turning, switching, setting, i need to,
i have to, i now, i'm now, i am now, on it, right away, doing that now,
i'm turning, i'm checking, i use, i'm using, running it, searching for,
ich werde, ich rufe, ich schalte, ich sehe, ich schaue, ich prüfe, ich starte,
ich führe, ich suche, ich hole, ich mache, ich stelle, ich frage, ich nutze,
ich verwende, ich setze, werde ich, rufe ich, schaue ich, sehe ich, prüfe ich,
lass mich, lassen sie mich, mache ich, wird gemacht, wird erledigt, führe ich,
je vais, j'appelle, je lance, j'exécute, je vérifie, je regarde, je cherche,
j'utilise, j'allume, j'éteins, je consulte, laissez-moi, laisse-moi, je règle,
je m'en occupe, je le fais, je récupère,
voy a, vamos a, llamo, ejecuto, consulto, compruebo, busco, enciendo, apago,
déjame, permíteme, lo hago, reviso, estoy llamando, ahora mismo, verifico,
vado a, sto per, chiamo, eseguo, controllo, cerco, accendo, spengo, uso,
fammi, lasciami, lo faccio, procedo, imposto, subito, provvedo, sto chiamando,
vou, estou a, chamo, executo, verificando, procuro, ligo, desligo,
deixe-me, deixa-me, já trato, buscando, estou chamando,
ik zal, ik ga, ik roep, ik kijk, ik zoek, ik controleer, ik zet, ik gebruik,
laat me even, ik haal,
я вызову, я вызываю, вызываю, сейчас, проверяю, проверю, запускаю, включаю,
выключаю, я посмотрю, посмотрю, ищу, я выполню, выполняю, давайте я, узнаю,
我来, 我会, 我将, 我要, 让我, 正在, 我现在, 我先, 我这就, 马上, 这就, 为您查询, 为你查询,
します, いたします, しましょう, 調べます, 確認します, 実行します, 呼び出します, つけます, 消します,
お調べ,
but i can, aber ich kann, mais je peux, pero puedo, ma posso, mas posso, maar ik kan, но могу, но я могу,
ale mogę, 但我可以, 但是我可以, 不过我可以, 不过可以, 但可以,
is being, are being, let's see, here goes, schauen wir, sehen wir, voyons, veamos, vediamo, vejamos,
ich muss zuerst, muss ich zuerst, ich muss erst, muss ich erst, brauche ich zuerst, je dois d'abord, il me faut, tengo que,
primero debo, debo primero, necesito la, necesito el, necesito saber, devo prima, per prima cosa, preciso saber, tenho que,
tenho de, ik moet eerst, moet ik eerst, найду, поищу, включу, выключу, запущу, прочту, возьму, начну,
zamykam, otwieram, sprawdzam, ustawiam, szukam, uruchamiam, puszczam, czytam, sprawdzę, poszukam, zobaczę,
посмотрим, начнём, начнем, zacznijmy, commençons, regardons, consultons, empecemos, comencemos, cominciamo, comecemos, beginnen wir,
fangen wir, laten we, 先看, muszę, мне нужно, gerekiyor,
schlage ich nach, schlage ich kurz nach, ich schlage nach, ich schlage kurz nach, 搜一下, 搜一搜, 查一查, 先查, 先搜, 先上网,
我需要, 我得先, 需要先, 先获取, 我帮, 帮你, 帮您, 给你, 给您, 我先,
",
);

/// Words that end in "ing" and say of nothing that it is done.
pub(in crate::mention) const NOT_DOING: Words = "
interesting, amazing, outstanding, remaining, corresponding, resulting, underlying, surprising, confusing, suggesting, proposing, planning, quoting, recommending, considering, thinking, waiting, showing, describing, talking, guessing, according, during, depending, assuming, regarding, following, warning, nothing, anything, something, everything, pending, meaning, missing, including, existing, writing, wondering, explaining, demonstrating, missing, being, having, concerning, hoping, avoiding, refusing, morning, evening, string, instead, thing, given, calling that,
";

/// Verbs in the first person that do not say that something is done, and words that look like one.
pub(in crate::mention) const NOT_DONE: Words = "
würde, könnte, habe, hatte, möchte, schlage, empfehle, plane, zitiere, rate, weigere, warte, wollte, sollte, dachte, meine, hätte, wäre, dürfte, denke, glaube, zeige, erkläre, verweigere, bitte, meinte, konnte, müsste, deine, keine, eine, diese, welche, alle, gerne,
peux, pourrais, dois, devrais, voudrais, propose, suggère, recommande, cite, refuse, attends, pense, crois, suis, sais, montre, explique, déconseille, imagine, suppose, ne, pas, avais, ai, étais, autre, aie, évite, préfère, explique,
zou, kan, heb, stel, mag, moet, wil, had, raad, citeer, wacht, was, ben, denk, weet, niet, weiger, zal niet, adviseer,
предлагаю, рекомендую, планирую, цитирую, советую, жду, думаю, отказываюсь, понимаю, считаю, знаю, какую, эту, вашу, мою, свою, такую, любую, следующую,
como, esto, eso, todo, pero, algo, puedo, debo, propongo, comando, ejemplo, archivo, último, solo, sólo, nuevo, mismo, texto, código, formato, registro, aviso, caso, cuando, tanto, otro, primero, luego, método, sugiero, recomiendo, espero, creo, pienso, quiero, tengo, dijo, escribió, contenido, siguiente, correo, ello, nunca, fallo, cambio, documento, menudo, estado, ejecutado, llamado, lanzó, llamó, ejecutó, mando, nuestro, vuestro, error, número, ciento, técnico, uso, modo, tipo, paso, título, resultado, artículo, vecino, dentro,
questo, quello, tutto, esempio, posso, devo, secondo, testo, suggerisco, consiglio, modo, caso, quando, nuovo, stesso, primo, dopo, sono, hanno, solo, codice, voglio, penso, credo, tecnico, lanciato, eseguito, scritto, detto, stato, passo, tipo, numero, contenuto, messaggio, articolo, documento, risultato, evito, rifiuto, attendo, aspetto, nostro, vostro, eseguiremo, eseguirò, quanto, sotto, sopra, dentro, errore, piano, registro, metodo, utilizzo, altro, ogni, meno,
isto, isso, tudo, exemplo, quando, novo, mesmo, primeiro, depois, não, texto, formato, posso, devo, sugiro, recomendo, proponho, quero, penso, arquivo, ficheiro, código, resultado, documento, artigo, seguinte, registro, método, caso, modo, outro, são, então, opção, opções, plano, passo, executado, usando,
bello, bueno, malo, claro, perfecto, perfetto, certo, subito, bravo, vero, ambos, hello, also, into, photo, zero, ago, two, video, radio, demo, info, auto, memo, macro, repo, todo,
supponendo, suponiendo, siguiendo, seguindo, seguendo, mostrando, considerando, asumiendo, assumindo, resumiendo, hablando, parlando,
proponuję, proszę, widzę, myślę, sądzę, wiem, umiem, chciałbym, polecam, pokazuję,
veo, noto, muestro, describo, explico, anoto, traduzco, vedo, mostro, spiego, descrivo, traduco, trovo, vejo, descrevo, entdecke, bemerke, finde, notiere, brauche, vois, remarque, trouve, traduis, décris, zie,
ecco, cito, citiamo, contiamo, propongo, llamo así,
";

/// Words that stand before a verb in the first person in Spanish, Italian and Portuguese.
pub(in crate::mention) const BEFORE_VERB: Words = "
antes, después, lo, la, le, gli, li, las, los, les, te, ti, me, mi, vi, ve, se, si, ya, yo, io, eu, ora, ahora, adesso, agora, subito, enseguida, entonces, quindi, allora, então, y, e, così, que, ci, ne, primero, prima, primeiro, poi, luego, d, te lo, os, a, asi, así, vale, claro, certo, ok, bene, bien, bem, prima,
";

/// What may stand behind "I" that does not say that something is done.
pub(in crate::mention) const NOT_I: Words = "
could, can, would, should, might, may, must, have, had, was, were, did, do, don't, am, won't, cannot, can't, never, not, think, suggest, propose, recommend, refuse, want, wanted, believe, guess, know, see, saw, found, ran, wrote, said, quote, hope, wish, like, understand, mean, meant, intend, plan, read, described, felt, feel, doubt, suppose, assume, recall, remember, made, sent, told, and, or, agree, only, just, also, thought, gave, got, advise, warn, strongly, personally, usually, often, typically, generally, normally, sometimes, would've, shall, went, came, took, knew, chose, built, forgot, spoke, began, lost, met, put, brought, caught, spent, understood, tend, prefer, ask, wonder, warned, answered, deliberately, skipped, avoided, stopped, then, held, kept, left,
";

/// Words that tell Spanish, Italian and Portuguese from other languages.
pub(in crate::mention) static ROMANCE: Cues = Cues::new(
    "
el, la, los, las, lo, il, gli, un, una, uno, di, del, della, que, che, o, os, as, de, da, do, por, per, para, te, ti, le, al, y, e, tu, su, tuo, tua, seu, sua, meu, si, já, ya, già,
l', d', un', c'è, i, me, mi, las dos, dos, due,
",
);

/// With what a sentence begins that announces calls: what it says of them behind is their purpose.
pub(in crate::mention) const ANNOUNCED: Words = "
here is the right call, here is the correct call, here's the call, here are the calls:, here comes the call, here is the function call, here are the function calls, here's the function call, here is the tool call, here are the tool calls, here's the tool call, here is the call, here are the calls, the function call, the function calls, the tool call,
hier ist der funktionsaufruf, hier sind die funktionsaufrufe, hier ist der aufruf, hier sind die aufrufe,
voici l'appel, voici les appels, aquí está la llamada, aquí están las llamadas, ecco la chiamata, ecco le chiamate, aqui está a chamada, aqui estão as chamadas, hier is de aanroep, вот вызов, 以下是函数调用, 以下是调用,
";

/// With what a short text begins that only announces a call.
pub(in crate::mention) const PLAIN_LEAD_IN: Words = "
to calculate, to determine, to retrieve, to solve, to compute, to identify, to address, to fetch, to see, to know, to read, to look, for the first, for the second, for the third, for the fourth, for that, for this, finally, the function to, the appropriate function, the appropriate tool, the correct function, the correct tool, the right function, the relevant function, the function that, final answer, answer, solution, result, tool, coming up, will do, done deal, as requested, as you asked, as you wish, on my way, yep, yeah, sorry, my apologies, apologies, i apologize, good,
dafür, dazu, zunächst, um, entschuldigung, tut mir leid, sehr gern, mach ich, aber klar, na klar, logisch, pour cela, pour ça, pour, d'abord, désolé, pardon, toutes mes excuses, c'est parti, pas de problème, para ello, para eso, primero, perdón, lo siento, disculpa, hecho, per questo, prima, scusa, mi dispiace, fatto, para isso, primeiro, desculpe, daarvoor, eerst, sorry,
sure, ok, okay, certainly, of course, absolutely, got it, alright, all right,
yes, done, no problem, great, understood, happy to, with pleasure, gladly,
here is, here are, here's, here you go, this is the call, the function call,
function call, tool call, the tool call, the call, call, calls, action, first,
then, next, now, one moment, just a moment, a moment, to answer, to find,
to get, to do, to check, hello, hi, thanks, thank you, right, using,
klar, gerne, gern, natürlich, sicher, selbstverständlich, in ordnung, alles klar,
ja, hier ist, hier sind, moment, einen moment, einen augenblick, sofort, zuerst,
jawohl, verstanden, wird gemacht,
bien sûr, d'accord, certainement, oui, voici, un instant, un moment,
tout de suite, entendu, très bien, avec plaisir, volontiers, compris, parfait,
claro, por supuesto, vale, de acuerdo, sí, aquí está, aquí tiene, aquí tienes,
un segundo, enseguida, entendido, con gusto, perfecto, muy bien,
certo, certamente, va bene, d'accordo, sì, ecco, un attimo, subito, capito,
volentieri, perfetto,
com certeza, está bem, sim, aqui está, um momento, um instante, tudo bem,
com prazer, entendi, certo,
zeker, natuurlijk, goed, hier is, hier zijn, een moment, prima, begrepen,
конечно, хорошо, да, вот, минуту, одну минуту, секунду, понял*, ладно,
好的, 好, 当然, 可以的, 没问题, 是的, 明白, 稍等, 请稍等, 以下是, 收到,
はい, もちろん, 承知, わかりました, 了解, かしこまりました, 少々お待ち, 以下,
one sec, one second, k, the answer is, the user, you asked, you want, you would like, you'd like, the question,
one, two, three, second, third, secondly, eins, zwei, erstens, zweitens, premièrement, deuxièmement, uno, dos, due, tre, um, dois,
";

/// Words that say when: now.
pub(in crate::mention) static NOW: Cues = Cues::new(
    "
now, right away, at once, immediately, jetzt, sofort, gleich, maintenant, tout de suite, ahora, enseguida, ya mismo, adesso, ora, subito, agora, já, nu, meteen, сейчас, 现在, 马上, 立即, 今すぐ, need the, needs the, i need, right choice, right tool, is needed, the tool:,
let's go, here goes, los geht's, auf geht's, mal sehen, allons-y, c'est lancé, c'est fait, c'est parti, vamos allá, vamos a ello, en marcha, marchando, allá voy, ya voy, va va, ya te, andiamo, ci siamo, in arrivo, arrivo, geht raus, läuft, following function call, following function calls, following call, following calls, on its way, mach ich,
列出来, 查询：, 我分别, 我查, 看看, 查一下, 发给, 打开：, ますね, 入れます, 使います, 送ります, 開けます, 始めます, 見ます, 取得します,
",
);

/// What joins two calls.
pub(in crate::mention) const CONNECT: Words = "
and, then, and then, also, und, dann, und dann, et, puis, et puis, y,
luego, e, poi, e poi, depois, en, и, затем, 和, 然后, そして, 次に, next,
finally, plus, |, or, oder, ou, o, of, или, 或, または,
";

/// With what the label of a step begins.
pub(in crate::mention) const STEPS: Words = "
step, schritt, étape, paso, passo, stap, шаг, krok, adım,
步骤, 第一步, ステップ,
";

/// Words that end in "ing" and name a thing where they stand alone.
pub(in crate::mention) const MAY_BE_THING: Words = "building, listing, setting,";

/// Words of the past that say what the user wants.
pub(in crate::mention) const ASKED: Words = "asked, requested, wanted, needed, ordered,";

/// With what a sentence goes on that says yes to what the user asked.
pub(in crate::mention) const YES: Words = "
yes, sure, of course, okay, ok, alright, all right, certainly, absolutely, understood, got it, done, ja, gerne, in ordnung, alles klar, verstanden, d'accord, très bien, vale, de acuerdo, muy bien, va bene, d'accordo, tudo bem, хорошо, klar, natürlich, gerne, gern, oui, bien sûr, sí, claro, por supuesto, sì, certo, sim, com certeza, да, конечно, はい, 是的, 好的, 可以,
";

/// What is promised behind a yes: "Sí, puedo hacerlo".
pub(in crate::mention) static ABLE: Cues = Cues::new(
    "
i can, kann ich, ich kann, je peux, puedo, posso, могу, できます, 可以,
",
);

/// What joins two possibilities.
pub(in crate::mention) static OR: Cues = Cues::new(
    "
or, oder, ou, o, oppure, или, または, 或,
",
);

/// What leads to the conclusion of a sentence.
pub(in crate::mention) const CONCLUSION: [&str; 14] = [
    ", so ",
    ", therefore ",
    ", also ",
    ", deshalb ",
    ", daher ",
    ", donc ",
    ", je vais donc ",
    ", así que ",
    ", por eso ",
    ", quindi ",
    ", perciò ",
    ", então ",
    ", поэтому ",
    "，所以",
];

/// Words that point to the call, or to the text of it, as to a thing.
pub(in crate::mention) static POINTING: Cues = Cues::new(
    "
this, that, these, those, below, above, following, block, input, text, line, page, message, payload, wrong,
das hier, dies*, hier steht, daran, darin, davon, damit, folgende*, unten, oben, so, eingabe, text, seite, nachricht, wort,
ceci, cela, ça, cette, ce que, ce qui, celui-ci, celle-ci, suivant*, ci-dessous, ci-dessus, texte, mot, message,
esto, eso, este, esta, estos, estas, lo que, siguiente*, abajo, arriba, texto, palabra, mensaje,
questo, questa, queste, questi, ciò, quello, quella, seguente*, sotto, sopra, testo, parola, messaggio,
isto, isso, este, esta, o que, seguinte*, abaixo, acima, texto, palavra, mensagem,
dit, deze, onderstaande, это, этот, эта, эту, вот что, так, слово, текст,
这, 那, 以下, 如下, 下面, 上面, これ, それ, この, その, 以下, こう, 次の,
",
);

/// With these a sentence goes on that shows a thing: "Sure, this is what the old one said".
pub(in crate::mention) static PRESENTING: Cues = Cues::new(
    "
this is what, this is the one, this is how, this is a, that is what, this was, these are, here is what, here's what, here is the one, here's the one, here is the thing, here's the thing, here is how, here's how,
das ist, das war, hier ist was, hier ist wie, so hat, so sieht,
voilà ce que, voilà ce qui, voici ce que, voici ce qui, voici comment, c'est ce que, c'était,
esto es lo que, eso es lo que, aquí está lo que, así es, esto fue,
questo è ciò, questo è quello, ecco cosa, ecco ciò, ecco quello, ecco come,
isto é o que, isso é o que, aqui está o que, вот что, вот как,
",
);

/// What the user is shown because of having asked for it.
pub(in crate::mention) static WANTED: Cues = Cues::new(
    "
what you asked, what you want, what you need, what you requested, was du wolltest, ce que vous avez demandé, ce que vous vouliez, lo que pediste, lo que querías, quello che hai chiesto, ciò che hai chiesto,
",
);

/// What is done with a text, and with no tool.
pub(in crate::mention) static RENDERING: Cues = Cues::new(
    "
transcrib*, reading, out loud, read out, read aloud, read to you, read you, read here, read it, summar*, translat*, transliterat*, dictat*, recit*, cite, quot*, repeat*, spell*, show*, display*, print*, explain*, describ*, paraphras*, rewrit*, pass on, caption*, present*, tell, mention*, pretend*, imagin*, format*, writ*, compos*, keep, hear, hate*, love, disagree*, dislike*, know this, know that, is a bad, is a good, is an,
vorles*, lese, lies, beim lesen, fasse zusammen, zusammenfass*, übersetz*, diktier*, zitier*, wiederhol*, zeig*, erklär*, beschreib*, schreib*, kenne, finger davon, die finger, abschreib*, transkribier*,
transcri*, lis, lire, lisant, résum*, tradui*, dict*, récit*, cit*, répèt*, répét*, montr*, affich*, expliqu*, décri*, écri*, connais,
transcrib*, leo, leer, leyendo, resum*, traduc*, traduzc*, dicto, recito, repito, repet*, muestr*, mostr*, explic*, describ*, escrib*, conozco,
trascriv*, leggo, leggere, leggendo, riassum*, traduc*, detto, recito, ripeto, ripet*, mostr*, spieg*, descriv*, scriv*, conosco,
transcrev*, leio, ler, lendo, resum*, traduz*, repit*, mostr*, explic*, descrev*, escrev*, conheço,
翻译, 总结, 朗读, 转录, 解释, 展示, 引用, 翻訳, 要約, 読み上げ, 説明, 引用, перев*, читаю, прочит*, цитир*, объясн*, покаж*, показыв*,
",
);

/// With what a sentence begins that says what for something is done.
pub(in crate::mention) const PURPOSE: Words = "to, in order to, um, pour, afin de, para, per,";
