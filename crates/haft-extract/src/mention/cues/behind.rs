//! Words by which the text behind a call says that it is only mentioned, and words of an offer of
//! further help.

use crate::mention::search::Cues;

/// Words of an offer of further help, which is not about the call.
pub(in crate::mention) static OFFER: Cues = Cues::new(
    "
anything else, anything more, something else, what else, other questions, any questions, more questions, further help, further questions, further assistance,
more help, need anything, need something, need help, need any, help you with, assist you, if you need, feel free to ask, just ask, shout if,
sonst noch, noch etwas, noch was, weitere*, weiterhelfen, noch fragen, brauchst, brauchen sie, benötigst, benötigen sie, fragen hast, fragen haben,
autre chose, autres questions, d'autres, vous aider, t'aider, avez besoin, as besoin,
algo más, otra cosa, otras preguntas, ayudarte, ayudarle, ayudo, necesitas, necesita algo, necesites, necesite algo,
altro, qualcos'altro, aiutarti, aiutarla, hai bisogno, ha bisogno, avessi bisogno, ti serve altro, altre domande,
mais alguma, algo mais, outra coisa, ajudar, precisar, precisa de,
nog iets, iets anders, verder nog, nodig hebt, nodig heeft, helpen met,
что-нибудь ещё, что-нибудь еще, что-то ещё, что-то еще, ещё чем, еще чем, помочь, понадоб*, нужно что-,
coś jeszcze, jeszcze w czymś, czegoś jeszcze, w czymś pomóc, potrzebujesz, başka, yardımcı ol*, ihtiyacın*,
还有什么, 还有其他, 其他需要, 还需要什么, 还需要别的, 其他帮助, 其它, 更多帮助, 别的, 可以帮, 能帮, 任何问题,
他に, ほかに, 何かあれば, 何かござい, お手伝い, 더 필요, 다른,
",
);

/// Words of a question or an offer about something beside the call.
pub(in crate::mention) static ALSO: Cues = Cues::new(
    "
also, too, as well, additionally, in addition, auch, zusätzlich, außerdem, noch, aussi, également, en plus, también, además,
anche, inoltre, também, além disso, ook, daarnaast, также, тоже, ещё, еще, też, także, jeszcze, ayrıca,
也, 另外, 顺便, 还想, 还要, 还需要, ついでに, 併せて, あわせて,
",
);

/// Words by which the user is invited to answer. Behind a call that is made they are about what may
/// come next, unless [`THE_CALL`] says otherwise.
pub(in crate::mention) static INVITATION: Cues = Cues::new(
    "
let me know, tell me, if you want, if you'd like, if you would like,
sag bescheid, sagen sie bescheid, bescheid, sag mir, sagen sie mir, wenn du möchtest, wenn sie möchten, wenn du willst, wenn sie wollen,
dites-moi, dis-moi, si vous voulez, si tu veux, si vous le souhaitez,
avísame, avíseme, dime, dígame, si quieres, si lo deseas,
fammi sapere, mi faccia sapere, dimmi, se vuoi,
me avise, me avisa, me diga, se quiser,
laat me weten, laat het me weten, als je wilt,
",
);

/// Words by which an invitation is about the call itself: whether it is right, and to be made.
pub(in crate::mention) static THE_CALL: Cues = Cues::new(
    "
ok, okay, fine, right, wrong, correct, incorrect, good, works, work for, suits, agree*, approv*, confirm*, proceed*, go ahead, start*, run, execut*,
should, shall, may i, can i, i may, i can, send, do it, make it, happy with, object*, call, this, that's, that is, that works, allowed, ready, yes, whether, when i, cancel,
passt, stimmt, recht, richtig, falsch, einverstanden, so soll, soll, sollen, darf, das, dies*, ausführ*, starte*, loslegen, weiter, ob, ja, aufruf,
convient, va, d'accord, correct, bon, ça, cela, ceci, dois, puis-je, lanc*, exécut*, continuer, oui, appel,
bien, de acuerdo, correct*, eso, esto, adelante, ejecut*, debo, puedo, parece, sí, llamada, contin*,
bene, d'accordo, corrett*, questo, ciò, eseg*, devo, posso, procedo, procedere, sì, chiamata,
bem, concord*, isso, isto, corret*, devo, sim, chamada,
goed, akkoord, klopt, dit, dat, mag, moet, uitvoer*, ja,
",
);

/// Words that ask the user to go ahead, or wait for the word to.
pub(in crate::mention) static GOING_AHEAD: Cues = Cues::new(
    "
reply with, just reply, just say, answer yes, shall i, should i, do you want, would you like, may i, can i go, ok to, okay to,
please confirm, confirm, confirmation, waiting for your, awaiting,
once you, with your permission, permission, approve, approval, your ok, your okay, say yes,
reply yes, if you agree, if you approve,
go-ahead, before i proceed, before proceeding, before i run,
sign off, do i have, is that ok, is that okay, sounds good,
antworte mit, antworten sie mit, antworte einfach, soll ich, sollen wir, möchtest du, möchten sie, willst du, wollen sie, darf ich,
bestätig*, freigabe,
zustimmung, einverstanden,
genehmig*, ist das ok,
répondez par, répondez oui, réponds par, réponds oui, dois-je, voulez-vous, veux-tu, souhaitez-vous, souhaites-tu, puis-je,
confirm*, en attente de,
votre accord, ton accord, votre feu vert, j'attends, autoris*, est-ce que je,
responde sí, responde con, responda sí, responda con, debo, quieres que, quiere que, deseas, desea que, puedo, confirma*,
esperando, espero tu,
espero su, tu aprobación, su aprobación, permiso, autoriza*, apruebas, aprueba,
procedo,
rispondi sì, rispondi con, devo, vuoi che, vuole che, desideri, desidera, posso, conferm*,
in attesa, attendo, la tua approvazione, permesso,
autorizz*,
você quer, quer que, deseja, devo, posso, confirm*,
aguardando, aguardo, aprova*, permissão, autoriza*,
zal ik, moet ik, wil je, wilt u, mag ik, bevestig*,
toestemming, goedkeur*, akkoord,
мне выполнить, мне запустить, хотите, хочешь, можно мне, подтверд*, дайте знать,
дай знать, если хотите, жду, разреш*, одобр*, стоит ли, согласны,
请回复, 回复“, 要我, 需要我, 是否, 请确认, 确认, 告诉我, 等待, 您的同意, 批准, 允许, 可以吗, 好吗, 行吗,
吗？, 吗?, 要不要,
しますか, ましょうか, よろしい, いいですか, お知らせ, 待って, お待ちし, 確認してください,
ご確認, 許可, 承認,
",
);

pub(super) static PROHIBITED_BEHIND: Cues = Cues::new(
    "
only do this, only do that, only use this, only run this, only after, only when, not before, not executed, not run, not been run, not been executed, not executing,
haven't run, haven't executed, haven't called, have not executed, have not run,
have not called, did not run, did not execute, didn't run, didn't execute,
not actually, nothing was run, nothing has been, was not run, won't run,
won't execute, will not run, will not execute, do not run, don't run, do not execute,
don't execute, do not call, don't call, never run, never execute, never call,
cannot execute, can't execute, cannot run, can't run, cannot call, can't call,
is dangerous, not recommend*, recommend against, advise against, must not,
should not, shouldn't, not allowed, not call it, not do this, not do that,
wouldn't run, would not run, i refuse, is forbidden, is prohibited,
erst nach, erst wenn, nur wenn, nicht vor, nicht ausgeführt, nicht aufgerufen, noch nicht, nicht ausführen, nicht aus,
nicht aufrufen, niemals, nicht empfehl*, nicht gestartet, verboten, darf nicht,
sollte nicht, nicht wirklich, werde das nicht, nicht getan, nichts ausgeführt,
seulement après, seulement si, seulement quand, pas avant, pas exécuté*, n'ai pas, n'a pas été, ne l'exécut*, n'exécut*, ne pas, pas encore,
jamais, ne vais pas, interdit*, déconseill*, dangereux, ne doit pas, pas lancé,
pas appelé*, ne sera pas,
solo después, sólo después, solo si, sólo si, solo cuando, no antes, no he ejecutado, no lo he, no ejecut*, no se ha, no se ejecut*, todavía no,
aún no, no lo ejecut*, nunca, no recomiendo, peligros*, prohibid*, no debe*,
no he llamado, no voy a, no se debe,
solo dopo, solo se, solo quando, non prima, non ho eseguito, non è stat*, non eseguir*, non l'ho, non ancora, ancora no, mai,
non consiglio, pericolos*, vietat*, non dev*, non verrà, non ho chiamato,
só depois, só se, só quando, não antes, não executei, não foi, não execut*, ainda não, nunca, não recomendo, perigos*,
proibid*, não deve*, não chamei, não vou,
niet uitgevoerd, nog niet, niet uitvoeren, nooit, gevaarlijk, verboden, niet aangeroepen,
не выполн*, не запуск*, не запущ*, не вызва*, не вызыва*, пока не, никогда, опасн*, нельзя,
没有执行, 未执行, 尚未, 不要执行, 没有运行, 不要运行, 没有调用, 并未, 还没, 不会执行, 切勿, 危险,
未运行, 未调用, 请勿,
実行していません, まだ, 実行しないで, 呼び出していません, 実行されていません, しないでください, 危険,
実行しません,
",
);

pub(super) static EXAMPLE_BEHIND: Cues = Cues::new(
    "
an example, is example, are examples, for illustration, just a sample, as a demonstration,
example only, only examples, this example, hypothetical*, illustrative, a placeholder,
ein beispiel, nur beispiele, zur veranschaulichung, dieses beispiel, zur illustration,
un exemple, des exemples, cet exemple, à titre d'exemple, pour illustrer,
un ejemplo, ejemplos, este ejemplo, ilustrativ*, a modo de ejemplo,
un esempio, esempi, questo esempio, a titolo di esempio, illustrativ*,
um exemplo, exemplos, este exemplo, ilustrativ*,
een voorbeeld, voorbeelden, ter illustratie,
это пример, примеры, для примера, лишь пример, пример,
示例, 例子, 仅供参考, 举例,
例です, サンプル, 例として,
",
);

pub(super) static FORMAT_BEHIND: Cues = Cues::new(
    "
is how, is the format, is the syntax, is how calls, is how tools,
the format above, above format, this syntax, this format, is what a call looks like,
ist das format, ist die syntax, so ruft man, so schreibt man, so sieht,
est le format, est la syntaxe, c'est ainsi, voilà comment,
es el formato, es la sintaxis, así es como, así se,
è il formato, è la sintassi, ecco come, così si,
é o formato, é a sintaxe, é assim que,
is het formaat, is de syntaxis, zo roep,
так выглядит, так вызыва*, это формат, это синтаксис,
是格式, 的格式, 的语法, 这就是如何,
という形式, の形式, の書き方, このように書,
",
);

pub(super) static OPTION_BEHIND: Cues = Cues::new(
    "
pick one, choose one, either of these, one of these, which of these, these are your options,
these options, are the options, you decide, your choice, this would, that would,
these would, would reboot, would restart, would delete, 
wähle eine, wählen sie, deine wahl, ihre wahl, das würde, dies würde,
choisissez, à vous de choisir, au choix, cela ferait, redémarrerait,
elige, elija, tú decides, usted decide, esto haría, reiniciaría,
scegli, scelga, a te la scelta, riavvierebbe, questo farebbe,
escolha, você decide, isso reiniciaria, reiniciaria,
kies er, aan jou de keuze, dit zou,
выбер*, на ваш выбор, это бы,
请选择, 任选, 由您决定,
選んでください, お選び, どちらか,
",
);

pub(super) static PLAN_BEHIND: Cues = Cues::new(
    "
is the plan, is my plan, is a plan, is my proposal, is a proposal, the plan above, is the proposed, is only a plan,
is only a proposal, just a plan, just a proposal, is a draft, is just a suggestion, i plan to, i would then, i'd then,
ist der plan, ist mein plan, nur ein vorschlag, mein vorschlag, ist ein vorschlag, ist ein entwurf, nur ein plan,
est le plan, est mon plan, une proposition, est un plan, un brouillon,
es el plan, es mi plan, una propuesta, es un plan, un borrador,
è il piano, è il mio piano, una proposta, è un piano, una bozza,
é o plano, é o meu plano, uma proposta, é um plano, um rascunho,
is het plan, is mijn plan, een voorstel,
это план, мой план, это предложение,
是计划, 是我的计划, 只是计划, 是方案, 只是建议,
計画です, 提案です, 予定です,
",
);

pub(super) static REPORT_BEHIND: Cues = Cues::new(
    "
was run yesterday, ran yesterday, was called yesterday, is what i ran, is what was run, were already run, was already run, already ran,
is what the, is what he, is what she, is what they, that's what, that is what, this is what, that's from, that is from, this is from, from the book, from the page, typed,
from the log, in the log, from the documentation, from the docs, the code above, in your code, under review, was quoted, is quoted, i quoted,
from your message, you wrote, lief gestern, aus dem protokoll, wurde gestern, aus der dokumentation, habe ich zitiert, das hat der, das hat die, das hat mein, das hat ein, das stammt, stammt aus, so steht, steht auf seite, steht so,
c'est ce que, c'est ce qu', à la page, du livre, a été exécuté hier, du journal, de la documentation, eso es lo que, esto es lo que, en la página, del libro, se ejecutó ayer, del registro, de la documentación,
è quello che, è ciò che, questo è quello, a pagina, del libro, è stato eseguito ieri, dal registro, dalla documentazione, isso é o que, isto é o que, na página, foi executado ontem, do registro, da documentação,
",
);

/// Words that speak of the call above as of a text, or of what would be done.
pub(super) static AS_TEXT_BEHIND: Cues = Cues::new(
    "
line of your, line in your, this line fails, what i would, what i'd, what you'd, what you would, that's the call the, that's the call that, that's the call you, that's the call which, that is the call the, that is the call that, that is the call you, say the word, wrong answer, right answer,
wrong call, would be the right, would be the correct, would have been, is invalid, is valid, is incorrect, is wrong, was wrong, paste it,
paste it, paste this, paste that, pasted from, copy it, copy this, copy that, copy the, into your terminal, in your terminal, previous version, previous assistant, old assistant, your program, from your own,
zeile deines, zeile in deinem, zeile ihres, zeile in ihrem, ist falsch, war falsch, ist ungültig, ist gültig, falsche antwort, richtige antwort, musterlösung, wäre hier, wäre die,
wäre das, ausführen würde, tun würde, machen würde, sag einfach ja, sag ja, kopier*, in dein terminal, in ihr terminal,
ligne de votre, ligne de ton, est incorrect*, est fausse, est faux, était fausse, était faux, invalide, mauvaise réponse, bonne réponse, réponse correcte, ce que je ferais,
ce que j'exécuterais, dites oui, dis oui, serait la, serait le, copiez, copie cela, copie ça, collez, colle cela, colle ça, votre terminal, ton terminal,
línea de tu, línea de su, es incorrect*, es inválid*, respuesta equivocada, respuesta correcta, respuesta incorrecta, lo que ejecutaría, lo que yo ejecutaría,
lo que haría, lo que yo haría, di que sí, diga que sí, sería la, sería el, se equivocó, cópialo, cópiala, copia esto, pégalo, pega esto, tu terminal, su terminal,
riga del tuo, riga nel tuo, è sbagliat*, è errat*, risposta sbagliata, risposta corretta, risposta giusta, quello che farei, ciò che farei, quello che eseguirei,
sarebbe la, sarebbe il, dimmi di sì, copialo, copia questo, incollalo, incolla questo, tuo terminale, suo terminale,
linha do seu, linha do teu, está errad*, está incorret*, resposta errada, resposta certa, resposta correta, o que eu faria, o que eu executaria, diga sim,
seria a, seria o, copie isto, copie isso, cole isto, cole isso, seu terminal,
regel in je, regel van je, is fout, is onjuist, verkeerde antwoord, foute antwoord, juiste antwoord, wat ik zou, zeg het maar, zou de juiste, zou het juiste,
неверный ответ, неправильный ответ, правильный ответ, я бы, скажите слово, неверно, неправильно,
błędna odpowiedź, poprawna odpowiedź, zrobiłbym, wykonałbym, yanlış cevap, doğru cevap,
错误的答案, 正确的答案, 错误答案, 正确答案, 我会执行的, 我要执行的, 说一声, 复制, 粘贴, 是错误的, 是错的, 不正确,
間違い, 不正解, 正解, 一言,
",
);
