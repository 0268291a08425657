//! The frame of a reply, whichever format its calls have: thinking, and tokens that are dropped.

family! {
    Noise: "
        assistant assistantend assistantstart beginofsentence beginofsolution beginoftext
        chatbottoken contentmodelendsampling endfinalresponse endfunctionresponse endheaderid
        endofrole endofsentence endofsolution endoftext endofturn endofturntoken endresponse
        endtext eomid eos eot eotid headerend headerstart imend imstart messagesep observation
        plamobeginresponseplamo plamoendplamo plamoendresponseplamo plamotag roleend s
        startfunctionresponse startheaderid startofrole startoftext startofturn startresponse
        starttext systemend tooloutputbegin tooloutputend tooloutputsbegin tooloutputsend
        toolresponse toolresponses turn user
    ";
    Thinking: "
        beginofthought mmthink reasoning seedthink think thinking thought thoughts thoughtstart
    ";
    ThinkingEnd: "endofthought thoughtend";
}
