<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
 <context>
  <name>GPTStudio</name>
  <message>
   <source> or </source>
   <translation>或</translation>
  </message>
  <message>
   <source>&amp;Edit</source>
   <translation>编辑(&amp;E)</translation>
  </message>
  <message>
   <source>&amp;File</source>
   <translation>文件(&amp;F)</translation>
  </message>
  <message>
   <source>&amp;Help</source>
   <translation>帮助(&amp;H)</translation>
  </message>
  <message>
   <source>&amp;Model</source>
   <translation>模型(&amp;M)</translation>
  </message>
  <message>
   <source>&amp;Run</source>
   <translation>训练(&amp;R)</translation>
  </message>
  <message>
   <source>&amp;View</source>
   <translation>视图(&amp;V)</translation>
  </message>
  <message>
   <source>'{key}' is not part of {what}; the parts are {parts}.</source>
   <translation>“{key}”不是{what}的组成部分；可用的部分是 {parts}。</translation>
  </message>
  <message>
   <source>({patched} − {corrupted}) / ({clean} − {corrupted}) = {share}</source>
   <translation>({patched} − {corrupted}) / ({clean} − {corrupted}) = {share}</translation>
  </message>
  <message>
   <source>+ column</source>
   <translation>+ 列</translation>
  </message>
  <message>
   <source>+ layer</source>
   <translation>+ 层</translation>
  </message>
  <message>
   <source>+ row</source>
   <translation>+ 行</translation>
  </message>
  <message>
   <source>+ row of position {position}</source>
   <translation>+ 位置 {position} 的行</translation>
  </message>
  <message>
   <source>+ shortcut</source>
   <translation>+ 快捷连接</translation>
  </message>
  <message>
   <source>--shard splits the model across several processes, but there is only one. Start them with torchrun, which comes with a pip installation: torchrun --nproc-per-node=2 -m -- gptstudio train --shard</source>
   <translation>--shard 把模型分布到多个进程，但现在只有一个进程。请用 torchrun（随 pip 安装提供）启动：torchrun --nproc-per-node=2 -m -- gptstudio train --shard</translation>
  </message>
  <message>
   <source>0 at number {at}: the ID is {id}.</source>
   <translation>第 {at} 个数是 0：ID 是 {id}。</translation>
  </message>
  <message>
   <source>0 bits</source>
   <translation>0 比特</translation>
  </message>
  <message>
   <source>0.0</source>
   <translation>0.0</translation>
  </message>
  <message>
   <source>0.1</source>
   <translation>0.1</translation>
  </message>
  <message>
   <source>0.mlp</source>
   <translation>0.mlp</translation>
  </message>
  <message>
   <source>0–1 bit</source>
   <translation>0–1 比特</translation>
  </message>
  <message>
   <source>1 at number {at}: this is the ID.</source>
   <translation>第 {at} 个数是 1：这就是该 ID。</translation>
  </message>
  <message>
   <source>1 branch</source>
   <translation>1 个分支</translation>
  </message>
  <message>
   <source>1 layer</source>
   <translation>1 层</translation>
  </message>
  <message>
   <source>1 token</source>
   <translation>1 个词元</translation>
  </message>
  <message>
   <source>1.0</source>
   <translation>1.0</translation>
  </message>
  <message>
   <source>1.1</source>
   <translation>1.1</translation>
  </message>
  <message>
   <source>1.mlp</source>
   <translation>1.mlp</translation>
  </message>
  <message>
   <source>100 points from -3 to 3</source>
   <translation>-3 到 3 的 100 个点</translation>
  </message>
  <message>
   <source>100 points from -5 to 5</source>
   <translation>-5 到 5 的 100 个点</translation>
  </message>
  <message>
   <source>12 L D²</source>
   <translation>12 L D²</translation>
  </message>
  <message>
   <source>1: the copy brings the whole difference back. 0: it changes nothing. It can be below 0 or above 1.</source>
   <translation>1：复制恢复了全部差别。0：什么也没有改变。也可能小于 0 或大于 1。</translation>
  </message>
  <message>
   <source>1st</source>
   <translation>第 1</translation>
  </message>
  <message>
   <source>2 to the power of the bits per token: on average, the model was as uncertain as if it chose among this many equally likely tokens. Random guessing gives {n}.</source>
   <translation>2 的“比特/词元”次方：平均而言，模型的不确定程度相当于在这么多个等可能的词元中选择。随机猜测则为 {n}。</translation>
  </message>
  <message>
   <source>2 to the power of the entropy: the choice is as uncertain as among this many equally likely tokens.</source>
   <translation>2 的熵次方：不确定程度相当于在这么多个等可能的词元中选择。</translation>
  </message>
  <message>
   <source>95 % of all random seeds fall here</source>
   <translation>95 % 的随机种子落在此范围内</translation>
  </message>
  <message>
   <source>&lt;|endoftext|&gt; is one token</source>
   <translation>&lt;|endoftext|&gt; 算作一个词元</translation>
  </message>
  <message>
   <source>= model input</source>
   <translation>= 模型的输入</translation>
  </message>
  <message>
   <source>A .pth file of the book's code, a .safetensors file, or a file in a Hugging Face folder</source>
   <translation>书中代码的 .pth、.safetensors 文件，或 Hugging Face 文件夹中的文件</translation>
  </message>
  <message>
   <source>A .toml file that guides through the window</source>
   <translation>一个 .toml 文件，会逐步引导你使用窗口</translation>
  </message>
  <message>
   <source>A CUDA GPU is here, but {why}, so the CPU is used. To use the GPU, run GPT Studio from source with the PyTorch that fits its driver: python3 packaging/bootstrap.py run --torch cuda</source>
   <translation>这台电脑有 CUDA GPU，但{why}，因此使用 CPU。要使用 GPU，请从源代码运行 GPT Studio，并选用与驱动相配的 PyTorch：python3 packaging/bootstrap.py run --torch cuda</translation>
  </message>
  <message>
   <source>A batch of texts goes in as token IDs and comes out as logits: at each position, one number for every token of the vocabulary. The larger the number, the more likely that token comes next.</source>
   <translation>一批文本以词元 ID 的形式输入，以 logits 的形式输出：每个位置上，词表中的每个词元都有一个数，数越大，该词元越可能是下一个。</translation>
  </message>
  <message>
   <source>A checkpoint needs {needed} and 5 % in reserve, but only {free} are free at {folder}. Free some space.</source>
   <translation>一个检查点需要 {needed}，另需 5 % 的余量，但 {folder} 只有 {free} 可用。请腾出一些空间。</translation>
  </message>
  <message>
   <source>A checkpoint needs {needed} and 5 % in reserve, but only {free} are free at {path}. Free some space before the first checkpoint is due, or the trained model cannot be saved.</source>
   <translation>一个检查点需要 {needed}，另需 5 % 的余量，但 {path} 只有 {free} 可用。请在保存第一个检查点之前腾出空间，否则训练好的模型无法保存。</translation>
  </message>
  <message>
   <source>A checkpoint was saved after step {n}.</source>
   <translation>第 {n} 步之后保存了检查点。</translation>
  </message>
  <message>
   <source>A context of {n} tokens is too short to repeat two tokens, so this model cannot have induction heads. Choose a model with a context of at least 4 tokens.</source>
   <translation>{n} 个词元的上下文太短，无法重复两个词元，因此这个模型不可能有归纳头。请选择上下文至少为 4 个词元的模型。</translation>
  </message>
  <message>
   <source>A feed-forward network attends to nothing: it sees each token by itself.</source>
   <translation>前馈网络没有注意力：它单独处理每个词元。</translation>
  </message>
  <message>
   <source>A file with this name already exists. It will be replaced, whatever it contains.</source>
   <translation>已有同名的文件。无论其中是什么，它都会被替换。</translation>
  </message>
  <message>
   <source>A folder with model.onnx, its weights and the tokenizer. The graph computes the logits after every token of a text, without a cache: for a new token, the whole text is computed again. Preparing the graph takes seconds to minutes, in which the export cannot be cancelled.</source>
   <translation>一个文件夹，含 model.onnx、权重和分词器。计算图给出文本中每个词元之后的 logit，不带缓存：每生成一个新词元都要重新计算整段文本。准备计算图需要几秒到几分钟，其间无法取消导出。</translation>
  </message>
  <message>
   <source>A folder with the weights, configuration and tokenizer. Open it in transformers with GPT2LMHeadModel.from_pretrained.</source>
   <translation>包含权重、配置和分词器的文件夹。在 transformers 中用 GPT2LMHeadModel.from_pretrained 打开。</translation>
  </message>
  <message>
   <source>A guess</source>
   <translation>一个猜测</translation>
  </message>
  <message>
   <source>A head or feed-forward network off: what the next word loses.</source>
   <translation>关闭一个注意力头或前馈网络：下一个词失去什么。</translation>
  </message>
  <message>
   <source>A lesson guides you step by step. Or open any experiment and change what you like: nothing can break.</source>
   <translation>课程会一步一步引导你。也可以打开任意一个实验随意更改：什么也不会弄坏。</translation>
  </message>
  <message>
   <source>A lesson is a small text file (TOML). You can also drop one here.</source>
   <translation>课程是一个小的文本文件（TOML），也可以拖放到这里。</translation>
  </message>
  <message>
   <source>A line in the log of this run is damaged (wrong checksum). It is left out here and in the curves; the checkpoints are not affected.</source>
   <translation>此次训练的日志中有一行已损坏（校验和不符）。该行在这里和曲线中均被略去；检查点不受影响。</translation>
  </message>
  <message>
   <source>A logarithmic range begins and ends above 0. Change its ends, or choose a linear range.</source>
   <translation>对数区间的两端都大于 0。请更改两端的值，或选择线性区间。</translation>
  </message>
  <message>
   <source>A long valley</source>
   <translation>狭长的山谷</translation>
  </message>
  <message>
   <source>A longer context makes the table more exact and more often silent: it has never seen most contexts. A GPT shares what it learned between similar contexts, so it can also use one that it has never seen.</source>
   <translation>上下文越长，表越准确，但也越常无话可说：大多数上下文它从未见过。GPT 在相似的上下文之间共享学到的东西，因此没见过的上下文也能用。</translation>
  </message>
  <message>
   <source>A model cannot be called '{name}'. Use up to {longest} letters, digits, spaces and characters that every system allows in file names, for example {free_name}.</source>
   <translation>模型不能命名为“{name}”。请使用最多 {longest} 个字母、数字、空格以及各系统文件名都允许的字符，例如 {free_name}。</translation>
  </message>
  <message>
   <source>A model does not write text by itself. It reads tokens and gives every possible next token a logit. A loop around the model generates the text.</source>
   <translation>模型本身不会写文章。它读入词元，给每个可能的下一个词元一个 logit。文本是由模型外面的循环生成的。</translation>
  </message>
  <message>
   <source>A model gives every token of its vocabulary a probability of coming next. Only one of them counts for the loss: the probability of the token that actually comes next, the target.</source>
   <translation>模型给词表中的每个词元一个“作为下一个词元”的概率。对损失而言只有一个概率算数：真正出现的那个词元（目标）的概率。</translation>
  </message>
  <message>
   <source>A model is being trained already.</source>
   <translation>已有模型正在训练。</translation>
  </message>
  <message>
   <source>A model is being trained in the background: step {n} of {all}. It is chosen here when it is ready.</source>
   <translation>正在后台训练模型：第 {n} 步，共 {all} 步。训练好后会在此处自动选用。</translation>
  </message>
  <message>
   <source>A model is being trained: step {n} of {all}. When it is ready, you can choose it as the model here.</source>
   <translation>正在训练模型：第 {n} 步，共 {all} 步。训练好后，你可以在此处选用它。</translation>
  </message>
  <message>
   <source>A model of your own text can have such a vocabulary: choose Vocabulary in the Model panel on Train.</source>
   <translation>你自己文本的模型可以有这样的词表：在“训练”页的模型面板中选择“词表”。</translation>
  </message>
  <message>
   <source>A model of your own, or GPT-2 from Hugging Face: generate with it and look inside.</source>
   <translation>你自己的模型，或 Hugging Face 格式的 GPT-2：用它生成文本，查看内部。</translation>
  </message>
  <message>
   <source>A model reads numbers. Byte pair encoding splits a text into tokens from a fixed vocabulary; each token's number is its ID.</source>
   <translation>模型读的是数字。字节对编码把文本切分成固定词表中的词元；词元的编号就是它的 ID。</translation>
  </message>
  <message>
   <source>A model that predicts the next word must not see it. With −∞ in place of the scores of later words, softmax gives them exactly 0. You can also apply the mask after the softmax σ and divide each row by its sum: the weights are the same, although the later words took part in the softmax. Without that division the rows do not sum to 1.</source>
   <translation>模型要预测下一个词，就不能看到它。把后面的词的分数换成 −∞，softmax 给它们的权重恰好是 0。也可以在 softmax σ 之后再加掩码，并把每行除以该行之和：得到的权重相同，只是后面的词参与过 softmax。若不再相除，各行之和就不是 1。</translation>
  </message>
  <message>
   <source>A model with two layers, trained on twelve sentences when the page opens: in each, an animal eats its food. A head or feed-forward network writes its output into the residual stream, and all later parts read it. Which of them does the prediction depend on?</source>
   <translation>一个两层的模型，页面打开时用十二个句子训练：每句都是一种动物吃它的食物。注意力头或前馈网络把输出写入残差流，后面的所有部分都会读它。预测依赖其中哪些？</translation>
  </message>
  <message>
   <source>A model's last layer gives each token a logit, which can be any number. Softmax turns the logits into probabilities, and one token is drawn. Two sampling parameters come first: temperature and top-k.</source>
   <translation>模型的最后一层给每个词元一个 logit，可以是任意数。softmax 把 logits 变成概率，再抽取一个词元。在此之前有两个采样参数：温度和 top-k。</translation>
  </message>
  <message>
   <source>A model, run or preset called '{name}' already exists. Choose another name.</source>
   <translation>名为“{name}”的模型、训练或预设已存在。请选择其他名称。</translation>
  </message>
  <message>
   <source>A name under which these changes are kept with the text; choose one to bring them back</source>
   <translation>以此名称将改动随文本保存；选择一个名称即可恢复</translation>
  </message>
  <message>
   <source>A network has at least one layer.</source>
   <translation>网络至少有一层。</translation>
  </message>
  <message>
   <source>A network has at most {n} layers here.</source>
   <translation>这里的网络最多有 {n} 层。</translation>
  </message>
  <message>
   <source>A page to print: the questions with space to write, and the goals as check boxes</source>
   <translation>可打印的一页：题目留有书写空间，目标带有方框</translation>
  </message>
  <message>
   <source>A product of many probabilities soon becomes too small for any computer, so their logarithms are added instead. The mean is negative, so its sign is flipped: a model that is always right and certain has a loss of 0. Torch's cross_entropy does all of this in one step, from the logits.</source>
   <translation>概率连乘很快会小到计算机无法表示，所以改为把它们的对数相加。平均值是负的，于是取反：永远正确且确信的模型，损失为 0。torch 的 cross_entropy 从 logits 出发一步完成这一切。</translation>
  </message>
  <message>
   <source>A prompt is empty. Write a clean and a corrupted prompt of equal length.</source>
   <translation>有一个提示词是空的。请输入长度相同的干净提示词和受损提示词。</translation>
  </message>
  <message>
   <source>A ready-made configuration to start from; you can change every field below.</source>
   <translation>可以由此开始的现成配置；下面每一项都能改。</translation>
  </message>
  <message>
   <source>A round bowl</source>
   <translation>圆碗</translation>
  </message>
  <message>
   <source>A row for each layer, the first at the bottom; a tile for each head and one for the feed-forward network (MLP).</source>
   <translation>每层一行，第一层在最下方；每个注意力头一格，前馈网络（MLP）一格。</translation>
  </message>
  <message>
   <source>A run from anywhere, such as a shared disk that another machine writes to</source>
   <translation>任何位置的训练，例如另一台机器写入的共享磁盘</translation>
  </message>
  <message>
   <source>A run is in progress. Stop it, and close its window or program, before you reset this computer.</source>
   <translation>有训练正在进行。请先停止它，并关闭其窗口或程序，再为下一个班重置这台电脑。</translation>
  </message>
  <message>
   <source>A run packed on this or another machine</source>
   <translation>在本机或另一台机器上打包的训练</translation>
  </message>
  <message>
   <source>A run, a checkpoint, or a preset (random weights, initialised from the seed).</source>
   <translation>一次训练、一个检查点，或一个预设（由种子随机初始化）。</translation>
  </message>
  <message>
   <source>A setting has a problem</source>
   <translation>有一项设置有问题</translation>
  </message>
  <message>
   <source>A setting is invalid.</source>
   <translation>有一项设置无效。</translation>
  </message>
  <message>
   <source>A shortcut connection adds a layer's input to its output. Each factor becomes I + J, and even where J is almost zero, I passes the whole gradient on.</source>
   <translation>快捷连接把一层的输入加到它的输出上。每个因子变为 I + J；即使 J 几乎为零，I 仍把梯度完整地传下去。</translation>
  </message>
  <message>
   <source>A small one can be trained in the background; your settings on Train stay as they are.</source>
   <translation>可以在后台训练一个小模型；你在“训练”页上的设置不变。</translation>
  </message>
  <message>
   <source>A state dict. The book's own GPTModel loads it with load_state_dict if it has this configuration. A tokenizer other than GPT-2's is saved beside it, as NAME.tokenizer.json.</source>
   <translation>一个 state dict。书中的 GPTModel 在配置相同时可以用 load_state_dict 加载它。GPT-2 以外的分词器保存在它旁边，名为 NAME.tokenizer.json。</translation>
  </message>
  <message>
   <source>A sweep varies one or two settings, not {n}.</source>
   <translation>参数扫描变化一个或两个设置，而不是 {n} 个。</translation>
  </message>
  <message>
   <source>A table of n-grams counts in a text which token follows which n − 1 tokens, and looks it up. It has no weights. Where it has not seen the n − 1 tokens, it uses the shorter context, down to single tokens.</source>
   <translation>n-gram 表统计文本中哪 n − 1 个词元之后接着哪个词元，然后查找。它没有权重。没见过这 n − 1 个词元时，它使用更短的上下文，直到单个词元。</translation>
  </message>
  <message>
   <source>A task is in progress here. Cancel it first.</source>
   <translation>这里有任务正在进行。请先取消。</translation>
  </message>
  <message>
   <source>A temperature above 1 brings the logits closer together: more varied. Below 1 it spreads them apart: more predictable. At 0 the most likely token is always chosen.</source>
   <translation>温度高于 1 使 logits 彼此靠近：更多样。低于 1 使它们拉开：更确定。为 0 时总是选最可能的词元。</translation>
  </message>
  <message>
   <source>A temperature used in the book</source>
   <translation>书中用过的温度</translation>
  </message>
  <message>
   <source>A text for means (mean_over) has no effect, because no part is replaced by its mean. Ablate a part with =mean, for example 0.mlp=mean, or leave the text out.</source>
   <translation>用于求平均的文本（mean_over）不起作用，因为没有任何部分被替换为其平均值。请用 =mean 消融一个部分，例如 0.mlp=mean，或去掉该文本。</translation>
  </message>
  <message>
   <source>A text is being generated. Stop it first, then open the tree.</source>
   <translation>正在生成文本。请先停止，再打开分支树。</translation>
  </message>
  <message>
   <source>A text with the content that it had was also looked for in these folders: {folders}.</source>
   <translation>还在以下文件夹中查找过内容与当时相同的文本：{folders}。</translation>
  </message>
  <message>
   <source>A tiny vocabulary of nine words, after “every effort moves you”. The book gives only the logits of closer, forward and toward (ticked); we made up the six smaller ones.</source>
   <translation>只有九个词的小词表，接在 “every effort moves you” 之后。书中只给出 closer、forward 和 toward 的 logits（打了勾的）；另外六个较小的是我们设定的。</translation>
  </message>
  <message>
   <source>A token ID becomes a vector, and its position is added.</source>
   <translation>词元 ID 变成向量，再加上位置。</translation>
  </message>
  <message>
   <source>A token's path through the model, shape by shape.</source>
   <translation>一个词元穿过模型的路径，逐个形状地看。</translation>
  </message>
  <message>
   <source>A tree with this title already exists and will be replaced.</source>
   <translation>已有同名的分支树，将被替换。</translation>
  </message>
  <message>
   <source>A vocabulary forms</source>
   <translation>词表怎样形成</translation>
  </message>
  <message>
   <source>Ablation</source>
   <translation>消融</translation>
  </message>
  <message>
   <source>Ablation sets the output to 0, or to its mean, and lets the rest compute with what is left.</source>
   <translation>消融把输出设为 0 或它的均值，让其余部分用剩下的内容继续计算。</translation>
  </message>
  <message>
   <source>Ablation: how much the log-probability of the token falls without this component. Above zero: it helps.</source>
   <translation>消融：去掉该组件后，词元的对数概率下降多少。大于零表示它有帮助。</translation>
  </message>
  <message>
   <source>About 0.25 for English. Other languages and code need more tokens.</source>
   <translation>英文约为 0.25。其他语言和代码需要更多词元。</translation>
  </message>
  <message>
   <source>About GPT Studio</source>
   <translation>关于 GPT Studio</translation>
  </message>
  <message>
   <source>About GPT Studio…</source>
   <translation>关于 GPT Studio…</translation>
  </message>
  <message>
   <source>About a minute, one click: a small GPT reads a short story, and you watch its loss fall.</source>
   <translation>点一下，约一分钟：一个小 GPT 学习一篇短篇小说，你可以看着损失下降。</translation>
  </message>
  <message>
   <source>Above 1: tokens that are already in the text become less likely.</source>
   <translation>大于 1：文本中已有的词元概率降低。</translation>
  </message>
  <message>
   <source>Activation</source>
   <translation>激活函数</translation>
  </message>
  <message>
   <source>Actual next</source>
   <translation>实际下一个</translation>
  </message>
  <message>
   <source>AdamW divides by how large gradients were, for each weight by itself: its first step is as long across as along. The hats correct the averages for starting at 0. Its weight decay is off here.</source>
   <translation>AdamW 对每个权重分别除以梯度以往的大小：第一步横向和纵向一样长。帽号表示校正从 0 开始的平均值。这里不用权重衰减。</translation>
  </message>
  <message>
   <source>AdamW rate</source>
   <translation>AdamW 学习率</translation>
  </message>
  <message>
   <source>AdamW, SGD with momentum and Muon in the same valley.</source>
   <translation>AdamW、带动量的 SGD 和 Muon 走过同一个山谷。</translation>
  </message>
  <message>
   <source>Add</source>
   <translation>添加</translation>
  </message>
  <message>
   <source>Add a column</source>
   <translation>增加一列</translation>
  </message>
  <message>
   <source>Add a folder…</source>
   <translation>添加文件夹…</translation>
  </message>
  <message>
   <source>Add a layer as wide as the first</source>
   <translation>增加一层，与第一层同宽</translation>
  </message>
  <message>
   <source>Add a row</source>
   <translation>增加一行</translation>
  </message>
  <message>
   <source>Add a step</source>
   <translation>添加步骤</translation>
  </message>
  <message>
   <source>Add to queue</source>
   <translation>加入队列</translation>
  </message>
  <message>
   <source>Add to the list</source>
   <translation>加入列表</translation>
  </message>
  <message>
   <source>Added to each number after scaling.</source>
   <translation>缩放之后加到每个数上。</translation>
  </message>
  <message>
   <source>Added to the variance to avoid division by zero.</source>
   <translation>加到方差上，以避免除以零。</translation>
  </message>
  <message>
   <source>Added {name} to your runs.</source>
   <translation>{name} 已加入你的训练记录。</translation>
  </message>
  <message>
   <source>Added {path} to the list.</source>
   <translation>{path} 已加入列表。</translation>
  </message>
  <message>
   <source>Adds a bias to the query, key and value projections of attention.</source>
   <translation>给注意力的查询、键、值投影加上偏置。</translation>
  </message>
  <message>
   <source>Adds a bias to the three attention projections, as in OpenAI's GPT-2.</source>
   <translation>给注意力的三个投影加上偏置，与 OpenAI 的 GPT-2 一样。</translation>
  </message>
  <message>
   <source>Adds epochs or steps to the run in the view, as if it had had them from the start</source>
   <translation>给当前显示的训练增加轮数或步数，如同一开始就设定了这么多</translation>
  </message>
  <message>
   <source>Adds epochs or steps, as if the run had had them from the start</source>
   <translation>增加轮数或步数，如同一开始就设定了这么多</translation>
  </message>
  <message>
   <source>Adds the input of the first LayerNorm.</source>
   <translation>加上第一个层归一化的输入。</translation>
  </message>
  <message>
   <source>Adds the input of the second LayerNorm.</source>
   <translation>加上第二个层归一化的输入。</translation>
  </message>
  <message>
   <source>After</source>
   <translation>改动后</translation>
  </message>
  <message>
   <source>After all steps ({count}): {text}</source>
   <translation>全部 {count} 步之后：{text}</translation>
  </message>
  <message>
   <source>After attention, each token passes through this network separately: expanded to four times as many numbers, through GELU, and back to the original width. Input and output have the same shape, so blocks can be stacked.</source>
   <translation>注意力之后，每个词元单独通过这个网络：先扩展到四倍宽度，经过 GELU，再恢复原来的宽度。输入与输出形状相同，因此块可以堆叠。</translation>
  </message>
  <message>
   <source>After each epoch, a generated sample appears here.</source>
   <translation>每轮之后，这里会显示一段生成的样本。</translation>
  </message>
  <message>
   <source>After each epoch, the model continues this text.</source>
   <translation>每轮之后，模型续写这段文字。</translation>
  </message>
  <message>
   <source>After step</source>
   <translation>步数之后</translation>
  </message>
  <message>
   <source>After step {n}</source>
   <translation>第 {n} 步之后</translation>
  </message>
  <message>
   <source>After step {n}, epoch {epoch}</source>
   <translation>第 {n} 步之后，第 {epoch} 轮</translation>
  </message>
  <message>
   <source>After step {n}, the loss is {adamw} with AdamW, {sgd} with SGD and {muon} with Muon.</source>
   <translation>第 {n} 步之后，损失为：AdamW {adamw}，SGD {sgd}，Muon {muon}。</translation>
  </message>
  <message>
   <source>After step {n}, the validation loss ({loss}) stopped improving while the training loss kept falling: the model is memorising the training text (overfitting).</source>
   <translation>第 {n} 步之后，验证损失（{loss}）不再改善，而训练损失继续下降：模型正在记住训练文本（过拟合）。</translation>
  </message>
  <message>
   <source>After step {n}, this batch's loss is infinite or undefined: the step was much too large.</source>
   <translation>第 {n} 步之后，这一批的损失为无穷大或无定义：这一步的步长过大。</translation>
  </message>
  <message>
   <source>After the embeddings, or leave empty to use Rate.</source>
   <translation>嵌入之后；留空则使用“丢弃率”。</translation>
  </message>
  <message>
   <source>After training</source>
   <translation>训练后</translation>
  </message>
  <message>
   <source>After “{text}”, the largest of the {count} logits is for “{next}”.</source>
   <translation>在“{text}”之后，{count} 个 logits 中最大的对应“{next}”。</translation>
  </message>
  <message>
   <source>Again</source>
   <translation>再来一次</translation>
  </message>
  <message>
   <source>All blocks</source>
   <translation>所有块</translation>
  </message>
  <message>
   <source>All blocks move by about 1 in {n} per step: a healthy pace.</source>
   <translation>所有块每步移动约 1/{n}：速度健康。</translation>
  </message>
  <message>
   <source>All components {a}, {parts}: together {sum}, the logit.</source>
   <translation>所有组件 {a}，{parts}：合计 {sum}，即 logit。</translation>
  </message>
  <message>
   <source>All files (*)</source>
   <translation>所有文件 (*)</translation>
  </message>
  <message>
   <source>All files of the run on disk</source>
   <translation>这次训练在磁盘上的所有文件</translation>
  </message>
  <message>
   <source>All heads of this layer</source>
   <translation>这一层的所有头</translation>
  </message>
  <message>
   <source>All heads still look almost evenly at all earlier tokens ({low} of at most {most} bits).</source>
   <translation>所有头仍然几乎均匀地看所有先前的词元（{low} 比特，最多可达 {most}）。</translation>
  </message>
  <message>
   <source>All licences in full</source>
   <translation>全部许可证原文</translation>
  </message>
  <message>
   <source>All nine words</source>
   <translation>全部九个词</translation>
  </message>
  <message>
   <source>All of it is moved into a zip in {folder}.</source>
   <translation>全部移入 {folder} 中的一个 zip。</translation>
  </message>
  <message>
   <source>All of it is moved to the trash of this computer.</source>
   <translation>全部移到这台电脑的回收站。</translation>
  </message>
  <message>
   <source>All other settings are those of “{run}”.</source>
   <translation>其余设置与“{run}”相同。</translation>
  </message>
  <message>
   <source>All runs, or those that differ in a setting: their queue and their results</source>
   <translation>全部训练，或只有某个设置不同的训练：它们的队列和结果</translation>
  </message>
  <message>
   <source>All steps are completed.</source>
   <translation>已完成全部步数。</translation>
  </message>
  <message>
   <source>All steps were completed.</source>
   <translation>所有步都已完成。</translation>
  </message>
  <message>
   <source>All values of the selected runs: step, run, value</source>
   <translation>选中训练的所有数值：步、训练、值</translation>
  </message>
  <message>
   <source>All {n} unlisted tokens together</source>
   <translation>未列出的全部 {n} 个词元合计</translation>
  </message>
  <message>
   <source>All {total} parameters are trained.</source>
   <translation>全部 {total} 个参数都参与训练。</translation>
  </message>
  <message>
   <source>Allowed: {what}.</source>
   <translation>可取：{what}。</translation>
  </message>
  <message>
   <source>Already downloaded and kept: {kept} of {total}.</source>
   <translation>已下载 {kept}，共 {total}，会保留。</translation>
  </message>
  <message>
   <source>Already in the text: {x} {sign} {penalty} = {y}</source>
   <translation>文本中已有：{x} {sign} {penalty} = {y}</translation>
  </message>
  <message>
   <source>Already on this computer.</source>
   <translation>已在这台电脑上。</translation>
  </message>
  <message>
   <source>Already removed by {stage}</source>
   <translation>此前已去除（{stage}）</translation>
  </message>
  <message>
   <source>Alt+Left</source>
   <translation>Alt+左箭头</translation>
  </message>
  <message>
   <source>Alt+Right</source>
   <translation>Alt+右箭头</translation>
  </message>
  <message>
   <source>Alternatives must be between 1 and {vocabulary}, the vocabulary of {model}, not {n}.</source>
   <translation>候选词元数：{n} 无效；必须在 1 到 {vocabulary}（{model} 的词表大小）之间。</translation>
  </message>
  <message>
   <source>Always the most likely token: a beam search of width 1.</source>
   <translation>总是取最可能的词元：束宽为 1 的束搜索。</translation>
  </message>
  <message>
   <source>An ID is only a name: 4 is not twice 2. So each ID has its own row of numbers in a matrix, and embedding means looking up that row. Training changes the rows.</source>
   <translation>ID 只是名字：4 并不是 2 的两倍。所以每个 ID 在矩阵中有自己的一行数字，嵌入就是查出这一行。训练会改变这些行。</translation>
  </message>
  <message>
   <source>An epoch has {n} steps here.</source>
   <translation>这里一轮有 {n} 步。</translation>
  </message>
  <message>
   <source>An error stopped the current operation; the reason is shown there.</source>
   <translation>发生错误，当前操作已中断；原因显示在该操作处。</translation>
  </message>
  <message>
   <source>An optimizer turns gradients into steps. Here the loss depends on two weights, and is a valley: steep across, flat along. g is the gradient, η the learning rate.</source>
   <translation>优化器把梯度变成步。这里的损失取决于两个权重，形如山谷：横向陡，纵向平。g 是梯度，η 是学习率。</translation>
  </message>
  <message>
   <source>An unknown place name</source>
   <translation>一个陌生的地名</translation>
  </message>
  <message>
   <source>An untrained model</source>
   <translation>未训练的模型</translation>
  </message>
  <message>
   <source>Another animal and another place</source>
   <translation>换动物和地点</translation>
  </message>
  <message>
   <source>Another animal, attention</source>
   <translation>换动物，注意力</translation>
  </message>
  <message>
   <source>Another animal, residual stream</source>
   <translation>换动物，残差流</translation>
  </message>
  <message>
   <source>Another animal, untrained</source>
   <translation>换动物，未训练</translation>
  </message>
  <message>
   <source>Another branch has a different token here.</source>
   <translation>另一个分支在这里是另一个词元。</translation>
  </message>
  <message>
   <source>Another file…</source>
   <translation>其他文件…</translation>
  </message>
  <message>
   <source>Another folder…</source>
   <translation>其他文件夹…</translation>
  </message>
  <message>
   <source>Another lesson replaces the one in this window. Save it first if you still need it.</source>
   <translation>另一个课程会替换此窗口中的课程。如果还需要它，请先保存。</translation>
  </message>
  <message>
   <source>Another process of this run has ended, so this one cannot continue. The message of that process says why. Continue from the last checkpoint with --resume.</source>
   <translation>这次训练的另一个进程已经结束，因此本进程无法继续。原因见那个进程的消息。请用 --resume 从最后一个检查点继续。</translation>
  </message>
  <message>
   <source>Another sentence, or leave empty.</source>
   <translation>另一个句子；可留空。</translation>
  </message>
  <message>
   <source>Another window or program ({who}) is training the sweep {name}. You can only view it here.</source>
   <translation>另一个窗口或程序（{who}）正在训练参数扫描 {name}。在此只能查看。</translation>
  </message>
  <message>
   <source>Another window or program ({who}) is writing the run {name}. You can only view it here.</source>
   <translation>另一个窗口或程序（{who}）正在写入训练 {name}。在此只能查看。</translation>
  </message>
  <message>
   <source>Another window or program is training it.</source>
   <translation>另一个窗口或程序正在训练它。</translation>
  </message>
  <message>
   <source>Another window or program is training the sweep {name}. You can only view it here.</source>
   <translation>另一个窗口或程序正在训练参数扫描 {name}。在此只能查看。</translation>
  </message>
  <message>
   <source>Another window or program is writing the run {name}. You can only view it here.</source>
   <translation>另一个窗口或程序正在写入训练 {name}。在此只能查看。</translation>
  </message>
  <message>
   <source>Another window or program is writing this run. You can view it here but not control it.</source>
   <translation>这次训练由另一个窗口或程序写入。在这里只能查看，不能控制。</translation>
  </message>
  <message>
   <source>Another window or program seems to be writing the run {name}: {message}. You can only view it here. If nothing is writing it any more, delete the file {writer_path}.</source>
   <translation>另一个窗口或程序似乎正在写入训练 {name}：{message}。在此只能查看。如果已没有程序在写入，请删除文件 {writer_path}。</translation>
  </message>
  <message>
   <source>Another word</source>
   <translation>另一个词</translation>
  </message>
  <message>
   <source>Answer</source>
   <translation>答案</translation>
  </message>
  <message>
   <source>Answers</source>
   <translation>答案</translation>
  </message>
  <message>
   <source>Answers of the class</source>
   <translation>全班的回答</translation>
  </message>
  <message>
   <source>Answers, one per line</source>
   <translation>答案，每行一个</translation>
  </message>
  <message>
   <source>Any model continues your prompt, also while it is still training. Click a token to see the probability of every other token that could have come.</source>
   <translation>任何模型都能续写你的提示词，训练中的模型也可以。点击一个词元，可以看到其他所有候选词元的概率。</translation>
  </message>
  <message>
   <source>Anywhere</source>
   <translation>任何位置</translation>
  </message>
  <message>
   <source>Applied to each number: negative numbers become almost 0.</source>
   <translation>作用于每个数：负数几乎变为 0。</translation>
  </message>
  <message>
   <source>Arcs</source>
   <translation>弧线</translation>
  </message>
  <message>
   <source>Arcs above the text</source>
   <translation>文本上方的弧线</translation>
  </message>
  <message>
   <source>Arithmetic</source>
   <translation>运算</translation>
  </message>
  <message>
   <source>Arrow keys move, Enter opens, Ctrl+click selects for comparison, F2 renames, Delete removes.</source>
   <translation>方向键移动，Enter 打开，Ctrl+单击选中以比较，F2 重命名，Delete 移除。</translation>
  </message>
  <message>
   <source>As a new run with a lower learning rate, from the last checkpoint before the jump; this run does not change</source>
   <translation>从跳升之前的最后一个检查点起，以更低的学习率作为一次新的训练继续；这次训练保持不变</translation>
  </message>
  <message>
   <source>As a page for any browser, or as a zip</source>
   <translation>作为可在任何浏览器中打开的页面，或作为压缩包</translation>
  </message>
  <message>
   <source>As computed</source>
   <translation>按模型计算</translation>
  </message>
  <message>
   <source>As in code, from 0: 0.1 is head 2 of layer 1, 0.mlp the feed-forward network of layer 1.</source>
   <translation>与代码一致，从 0 开始编号：0.1 是第 1 层的第 2 个头，0.mlp 是第 1 层的前馈网络。</translation>
  </message>
  <message>
   <source>As it is</source>
   <translation>原样</translation>
  </message>
  <message>
   <source>As many words, at least one of them another.</source>
   <translation>词数相同，至少有一个词不同。</translation>
  </message>
  <message>
   <source>As top-p gets them: {p}</source>
   <translation>按 top-p 得到的概率：{p}</translation>
  </message>
  <message>
   <source>Asks {server} only for the sizes; nothing else happens until you press Download.</source>
   <translation>只向 {server} 查询大小；按下“下载”之前不做其他任何事。</translation>
  </message>
  <message>
   <source>At each evaluation, measures the gradients, updates and activations of every layer. It changes nothing in the run.</source>
   <translation>每次评估时测量每层的梯度、更新和激活值。它不改变训练的任何结果。</translation>
  </message>
  <message>
   <source>At each evaluation, the run records how probable every next token is. Up to eight prompts, one per line. &lt;validation&gt; stands for the first words of the validation text, whose next token is known.</source>
   <translation>每次评估时，训练会记录各个后续词元的概率。最多八个提示，每行一个。&lt;validation&gt; 代表验证文本的开头，其下一个词元是已知的。</translation>
  </message>
  <message>
   <source>At each evaluation, this shows how the layers are doing: gradients, updates, dead units, attention. Runs of earlier versions, and runs whose model is split over processes, have no such figures.</source>
   <translation>每次评估时，这里显示各层的状况：梯度、更新、失效单元、注意力。早期版本的训练，以及模型分布在多个进程上的训练，没有这些数据。</translation>
  </message>
  <message>
   <source>At each step, the most probable texts are kept; the next best are pruned, and shown in grey.</source>
   <translation>每一步保留最可能的几个文本；其次的被剪去，以灰色显示。</translation>
  </message>
  <message>
   <source>At step</source>
   <translation>所在步</translation>
  </message>
  <message>
   <source>At step {n}, the loss jumped from about {usual} to {loss} (gradient norm {norm}, before about {usual_norm}). A single jump is common, and the book's own code has them too; a gradient clip of 1 prevents most of them. If the loss stays high or jumps again, choose a lower learning rate.</source>
   <translation>第 {n} 步，损失从约 {usual} 跳升到 {loss}（梯度范数 {norm}，之前约为 {usual_norm}）。偶尔跳升一次很常见，书中的代码也会这样；把梯度裁剪设为 1，多半可以避免。如果损失居高不下或再次跳升，请降低学习率。</translation>
  </message>
  <message>
   <source>At the last evaluation</source>
   <translation>最后一次评估时</translation>
  </message>
  <message>
   <source>At the speed of the run so far, they take about {time}.</source>
   <translation>按这次训练目前的速度，约需 {time}。</translation>
  </message>
  <message>
   <source>At the start</source>
   <translation>开始时</translation>
  </message>
  <message>
   <source>At these {points} points, our formula and torch's GELU differ by at most {own}; the tanh form and the exact form differ by at most {exact}.</source>
   <translation>在这 {points} 个点上，我们的公式与 torch 的 GELU 最多相差 {own}，tanh 形式与精确形式最多相差 {exact}。</translation>
  </message>
  <message>
   <source>At this compute the size with {n} parameters does best; larger ones read fewer tokens for it.</source>
   <translation>在这个计算量下，{n} 个参数的规模最好；更大的规模用同样的计算量读到的词元更少。</translation>
  </message>
  <message>
   <source>Attends most to: {tokens}</source>
   <translation>最关注：{tokens}</translation>
  </message>
  <message>
   <source>Attention</source>
   <translation>注意力</translation>
  </message>
  <message>
   <source>Attention dropout</source>
   <translation>注意力 Dropout</translation>
  </message>
  <message>
   <source>Attention entropy (bits)</source>
   <translation>注意力熵（比特）</translation>
  </message>
  <message>
   <source>Attention heads of each model.</source>
   <translation>每个模型的注意力头数。</translation>
  </message>
  <message>
   <source>Attention of this head</source>
   <translation>该注意力头的注意力</translation>
  </message>
  <message>
   <source>Attention on the text</source>
   <translation>在文本上显示注意力</translation>
  </message>
  <message>
   <source>Attention parameters</source>
   <translation>注意力的参数</translation>
  </message>
  <message>
   <source>Attention rollout over all layers (Abnar and Zuidema, 2020): the mean weights of all layers multiplied, each mixed half and half with the identity for the residual stream</source>
   <translation>所有层的注意力 rollout（Abnar 和 Zuidema，2020）：把各层的平均权重相乘，每层先与代表残差流的单位矩阵各取一半</translation>
  </message>
  <message>
   <source>Attention writes {size}, {share} of the stream</source>
   <translation>注意力写入 {size}，为残差流的 {share}</translation>
  </message>
  <message>
   <source>Attention, then the feed-forward network; the output has the shape of the input.</source>
   <translation>先注意力，后前馈网络；输出与输入的形状相同。</translation>
  </message>
  <message>
   <source>Attention: one row per query token; use the arrow keys to move</source>
   <translation>注意力：每个查询词元占一行；用方向键移动</translation>
  </message>
  <message>
   <source>Attention: which earlier tokens each token attends to, in every head of every layer.</source>
   <translation>注意力：在每一层的每个头里，各个词元关注前面的哪些词元。</translation>
  </message>
  <message>
   <source>Average over {n} draws: {average}. Input: {value}.</source>
   <translation>{n} 次抽取的平均值：{average}。输入：{value}。</translation>
  </message>
  <message>
   <source>Averages neighbouring points; the original points stay faintly visible.</source>
   <translation>对相邻的点取平均；原来的点仍淡淡可见。</translation>
  </message>
  <message>
   <source>Back</source>
   <translation>后退</translation>
  </message>
  <message>
   <source>Back one token</source>
   <translation>后退一个词元</translation>
  </message>
  <message>
   <source>Back to the beginning</source>
   <translation>回到开头</translation>
  </message>
  <message>
   <source>Back to the selected token</source>
   <translation>回到选中的词元</translation>
  </message>
  <message>
   <source>Back to the tree</source>
   <translation>返回分支树</translation>
  </message>
  <message>
   <source>Bars</source>
   <translation>条形</translation>
  </message>
  <message>
   <source>Bars on a logarithmic scale, so that you can compare small probabilities too.</source>
   <translation>条形采用对数刻度，小概率也能比较。</translation>
  </message>
  <message>
   <source>Bars: Jensen–Shannon divergence. Grey: after the first difference, the contexts differ.</source>
   <translation>条形：Jensen–Shannon 散度。灰色：第一处不同之后，两边的上下文不同。</translation>
  </message>
  <message>
   <source>Bars: {minus} ln p; scale below: p</source>
   <translation>条形：{minus} ln p；下方刻度：p</translation>
  </message>
  <message>
   <source>Batch</source>
   <translation>批次</translation>
  </message>
  <message>
   <source>Batch loss</source>
   <translation>批次损失</translation>
  </message>
  <message>
   <source>Batch normalisation works on the columns, across all rows. A column of equal numbers has variance 0: without epsilon that is 0 / 0, not a number (–).</source>
   <translation>批归一化按列进行，跨所有行。数都相等的列方差为 0：没有 ε 就是 0 / 0，不是数（–）。</translation>
  </message>
  <message>
   <source>Batch normalisation works on the columns, across all rows: change one row, and the others change with it. Try removing rows until one is left.</source>
   <translation>批归一化按列进行，跨所有行：改动一行，其他行也随之改变。试着删到只剩一行。</translation>
  </message>
  <message>
   <source>Batch size</source>
   <translation>批次大小</translation>
  </message>
  <message>
   <source>Batch size ({batch_size}) is divided among {n} processes and must be a multiple of {n}, for example {possible}.</source>
   <translation>批次大小（{batch_size}）分给 {n} 个进程，必须是 {n} 的倍数，例如 {possible}。</translation>
  </message>
  <message>
   <source>Batches</source>
   <translation>批数</translation>
  </message>
  <message>
   <source>Batches for each step here: {n}.</source>
   <translation>这里每步用 {n} 个批次。</translation>
  </message>
  <message>
   <source>Batches per evaluation</source>
   <translation>评估批数</translation>
  </message>
  <message>
   <source>Batches per step</source>
   <translation>每步批数</translation>
  </message>
  <message>
   <source>Beam search</source>
   <translation>束搜索</translation>
  </message>
  <message>
   <source>Beam search: {text}</source>
   <translation>束搜索：{text}</translation>
  </message>
  <message>
   <source>Beam search…</source>
   <translation>束搜索…</translation>
  </message>
  <message>
   <source>Beam width</source>
   <translation>束宽</translation>
  </message>
  <message>
   <source>Before</source>
   <translation>改动前</translation>
  </message>
  <message>
   <source>Before GELU, {negative} are below 0 and the lowest is {lowest_before}; after GELU, none is below {lowest}. Closer to 0 than {quiet}: {quiet_before} before, {quiet_after} after.</source>
   <translation>GELU 之前，{negative} 小于 0，最小为 {lowest_before}；之后没有低于 {lowest} 的。绝对值小于 {quiet} 的：之前 {quiet_before}，之后 {quiet_after}。</translation>
  </message>
  <message>
   <source>Before each shortcut addition, or leave empty to use Rate.</source>
   <translation>每次与快捷连接相加之前；留空则使用“丢弃率”。</translation>
  </message>
  <message>
   <source>Before the first word that differs, both runs are the same, so a copy changes nothing there. Before layer 1, only the word itself differs. Look where the difference is one layer later, and at the end.</source>
   <translation>在第一个不同的词之前，两次运行相同，所以复制不会改变什么。在第 1 层之前，只有那个词本身不同。看看再过一层差别在哪里，以及最后在哪里。</translation>
  </message>
  <message>
   <source>Before training</source>
   <translation>训练前</translation>
  </message>
  <message>
   <source>Before training and after each epoch, the model continues a prompt here.</source>
   <translation>训练之前和每一轮之后，模型在这里续写一段提示词。</translation>
  </message>
  <message>
   <source>Before: {sum} = {p}</source>
   <translation>之前：{sum} = {p}</translation>
  </message>
  <message>
   <source>Beginning of the text as tokens</source>
   <translation>文本开头的词元</translation>
  </message>
  <message>
   <source>Begins a lesson without steps</source>
   <translation>新建一个没有步骤的课程</translation>
  </message>
  <message>
   <source>Begins at character {n} of the text</source>
   <translation>从文本的第 {n} 个字符开始</translation>
  </message>
  <message>
   <source>Begins the lesson at its first step</source>
   <translation>从课程的第一步重新开始</translation>
  </message>
  <message>
   <source>Below the drawing you see the same network inside a model: every number its first layer outputs for your text, before and after GELU. Model, text and layer change the chart; the width and the two counts change the drawing.</source>
   <translation>图形下方是模型中的同一网络：它的第一层对你的文本输出的每个数，GELU 之前和之后。模型、文本和层会改变图表；宽度和两个数目会改变上面的图形。</translation>
  </message>
  <message>
   <source>Best of all {count} texts: {text}</source>
   <translation>全部 {count} 段文本中最好的：{text}</translation>
  </message>
  <message>
   <source>Best val.</source>
   <translation>最佳验证损失</translation>
  </message>
  <message>
   <source>Best validation loss</source>
   <translation>最低验证损失</translation>
  </message>
  <message>
   <source>Best validation loss in bits per byte over the random seeds</source>
   <translation>各随机种子的最佳验证损失（比特/字节）</translation>
  </message>
  <message>
   <source>Best validation loss in bits per byte, mean over the random seeds; the lowest is framed</source>
   <translation>最佳验证损失（比特/字节），各随机种子的均值；最低的加框</translation>
  </message>
  <message>
   <source>Best validation loss in nats per token, mean over the random seeds; the lowest is framed</source>
   <translation>最佳验证损失（nat/词元），各随机种子的均值；最低的加框</translation>
  </message>
  <message>
   <source>Best validation loss over the random seeds</source>
   <translation>各随机种子的最佳验证损失</translation>
  </message>
  <message>
   <source>Beta 1</source>
   <translation>Beta 1</translation>
  </message>
  <message>
   <source>Beta 2</source>
   <translation>Beta 2</translation>
  </message>
  <message>
   <source>Bias and tying</source>
   <translation>偏置与权重绑定</translation>
  </message>
  <message>
   <source>Bits</source>
   <translation>比特</translation>
  </message>
  <message>
   <source>Bits per byte</source>
   <translation>比特/字节</translation>
  </message>
  <message>
   <source>Bits per token</source>
   <translation>比特/词元</translation>
  </message>
  <message>
   <source>Block</source>
   <translation>块</translation>
  </message>
  <message>
   <source>Block 1</source>
   <translation>第 1 块</translation>
  </message>
  <message>
   <source>Block 2</source>
   <translation>第 2 块</translation>
  </message>
  <message>
   <source>Block and model</source>
   <translation>块与模型</translation>
  </message>
  <message>
   <source>Blocks 2 to {last}</source>
   <translation>第 2 至 {last} 块</translation>
  </message>
  <message>
   <source>Blocks in this model: {n}.</source>
   <translation>此模型有 {n} 个块。</translation>
  </message>
  <message>
   <source>Both continue the same prompt (1 token): “{words}”</source>
   <translation>两边续写同一个提示词（1 个词元）：“{words}”</translation>
  </message>
  <message>
   <source>Both continue the same prompt ({n} tokens on the left, {m} on the right): “{words}”</source>
   <translation>两边续写同一个提示词（左边 {n} 个词元，右边 {m} 个）：“{words}”</translation>
  </message>
  <message>
   <source>Both continue the same prompt ({n} tokens): “{words}”</source>
   <translation>两边续写同一个提示词（{n} 个词元）：“{words}”</translation>
  </message>
  <message>
   <source>Both matrices are initialised at random from this seed; training would change them.</source>
   <translation>两个矩阵都由此种子随机初始化；训练会改变它们。</translation>
  </message>
  <message>
   <source>Both orders compared, row “{word}”</source>
   <translation>两种顺序对比，“{word}”一行</translation>
  </message>
  <message>
   <source>Both sentences are the same. Change at least one word.</source>
   <translation>两个句子相同。请至少换一个词。</translation>
  </message>
  <message>
   <source>Both settings are the same. Choose another one, or none, as the second.</source>
   <translation>两个设置相同。请为第二个选择其他设置，或选择“无”。</translation>
  </message>
  <message>
   <source>Both texts are the same</source>
   <translation>两段文本相同</translation>
  </message>
  <message>
   <source>Both texts as tokens, one above the other; use the arrow keys to select a position</source>
   <translation>两段文本的词元，上下对照；用方向键选择位置</translation>
  </message>
  <message>
   <source>Branch</source>
   <translation>分支</translation>
  </message>
  <message>
   <source>Branch name</source>
   <translation>分支名称</translation>
  </message>
  <message>
   <source>Branch of</source>
   <translation>分支自</translation>
  </message>
  <message>
   <source>Branch {n}</source>
   <translation>分支 {n}</translation>
  </message>
  <message>
   <source>Branches</source>
   <translation>分支图</translation>
  </message>
  <message>
   <source>Branches of the text; arrow keys move along them, Enter opens a branch</source>
   <translation>文本的各个分支；方向键沿分支移动，Enter 打开分支</translation>
  </message>
  <message>
   <source>Brings back the checkpoint that you moved to the trash last</source>
   <translation>还原你最近移到回收站的检查点</translation>
  </message>
  <message>
   <source>Brings back the run that you moved to the trash last</source>
   <translation>还原最近一次移到回收站的训练</translation>
  </message>
  <message>
   <source>Build</source>
   <translation>搭建</translation>
  </message>
  <message>
   <source>Build a GPT-2, train it, and watch it choose every token. MIT licence.</source>
   <translation>构建一个 GPT-2，训练它，看它怎样选择每个词元。MIT 许可证。</translation>
  </message>
  <message>
   <source>By default, torch's var() divides by n − 1; LayerNorm divides by n. With the 768 numbers of GPT-2 the difference is about a thousandth; with six numbers it is a fifth.</source>
   <translation>torch 的 var() 默认除以 n − 1，LayerNorm 除以 n。对 GPT-2 的 768 个数，两者约差千分之一；对六个数则差五分之一。</translation>
  </message>
  <message>
   <source>By hand, after ReLU</source>
   <translation>手算，ReLU 之后</translation>
  </message>
  <message>
   <source>By hand: the probability of each target token, from 0 to 1.</source>
   <translation>手工：每个目标词元的概率，从 0 到 1。</translation>
  </message>
  <message>
   <source>By the formulas in Python, the weights differ from torch's by at most {sgd} (SGD), {adamw} (AdamW) and {muon} (Muon).</source>
   <translation>用 Python 按公式计算，权重与 torch 的结果最多相差 {sgd}（SGD）、{adamw}（AdamW）和 {muon}（Muon）。</translation>
  </message>
  <message>
   <source>Bytes</source>
   <translation>字节</translation>
  </message>
  <message>
   <source>Bytes of the token in UTF-8, in hexadecimal digits</source>
   <translation>词元的 UTF-8 字节，十六进制</translation>
  </message>
  <message>
   <source>Bytes per parameter: four in float32, two in bfloat16.</source>
   <translation>每个参数的字节数：float32 为 4，bfloat16 为 2。</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>取消</translation>
  </message>
  <message>
   <source>Cancel the running task</source>
   <translation>取消正在运行的任务</translation>
  </message>
  <message>
   <source>Cancelled. Nothing was changed.</source>
   <translation>已取消。没有更改任何内容。</translation>
  </message>
  <message>
   <source>Cancelled. Nothing was saved.</source>
   <translation>已取消，未保存任何内容。</translation>
  </message>
  <message>
   <source>Cancelled. The files that were read so far are shown.</source>
   <translation>已取消。已读取的文件显示在表格中。</translation>
  </message>
  <message>
   <source>Cancelled. The page shows the last result.</source>
   <translation>已取消。页面显示上一次的结果。</translation>
  </message>
  <message>
   <source>Cancelled. The partial download is kept; next time it continues from there.</source>
   <translation>已取消。已下载的部分会保留，下次从那里继续。</translation>
  </message>
  <message>
   <source>Cancelling…</source>
   <translation>正在取消…</translation>
  </message>
  <message>
   <source>Cancels the current operation first</source>
   <translation>会先取消正在进行的操作</translation>
  </message>
  <message>
   <source>Cancels the training; the page shows the last result</source>
   <translation>取消训练；页面显示上一次的结果</translation>
  </message>
  <message>
   <source>Cancels this task</source>
   <translation>取消此任务</translation>
  </message>
  <message>
   <source>Cancels; no incomplete model is left behind</source>
   <translation>取消；不会留下不完整的模型</translation>
  </message>
  <message>
   <source>Cannot change {options}: {name} is already trained. Leave these options out, or name a preset to start with random weights.</source>
   <translation>无法更改 {options}：{name} 已经训练过。请去掉这些选项，或指定一个预设，从随机权重开始。</translation>
  </message>
  <message>
   <source>Cannot find the control “{name}” in this window; the step continues without it.</source>
   <translation>在此窗口中找不到控件“{name}”；这一步将跳过它继续。</translation>
  </message>
  <message>
   <source>Cannot open “{name}” as a lesson. Correct the following, then open it again:</source>
   <translation>无法将“{name}”作为课程打开。请更正以下问题，然后重新打开：</translation>
  </message>
  <message>
   <source>Cannot read “{path}”: {why}.</source>
   <translation>无法读取“{path}”：{why}。</translation>
  </message>
  <message>
   <source>Causal attention</source>
   <translation>因果注意力</translation>
  </message>
  <message>
   <source>Causal mask</source>
   <translation>因果掩码</translation>
  </message>
  <message>
   <source>Change</source>
   <translation>更改</translation>
  </message>
  <message>
   <source>Change of surprisal</source>
   <translation>惊讶度变化</translation>
  </message>
  <message>
   <source>Change parts of the model, or compute what each of them does for the chosen token</source>
   <translation>改动模型的部分，或计算每个部分对所选词元的作用</translation>
  </message>
  <message>
   <source>Change what the model computes or reads</source>
   <translation>改变模型的计算或所读内容</translation>
  </message>
  <message>
   <source>Changes apply to the next run.</source>
   <translation>更改将用于下一次训练。</translation>
  </message>
  <message>
   <source>Changes nothing</source>
   <translation>不做任何更改</translation>
  </message>
  <message>
   <source>Changes that belong to another model, and are left out: {n}.</source>
   <translation>属于其他模型、未予采用的改动：{n} 项。</translation>
  </message>
  <message>
   <source>Characters</source>
   <translation>字符</translation>
  </message>
  <message>
   <source>Characters of the text that are not in the vocabulary of the model: {n}. It reads each of them as �, so the bits per byte cannot be compared with those of other models.</source>
   <translation>文本中不在该模型词表里的字符：{n} 个。模型把每一个都读作 �，因此每字节比特数不能与其他模型比较。</translation>
  </message>
  <message>
   <source>Characters that are not in the vocabulary of the model: {n}. It reads each of them as �.</source>
   <translation>不在该模型词表中的字符：{n} 个。模型把每个这样的字符都读作 �。</translation>
  </message>
  <message>
   <source>Characters that end a line in the file</source>
   <translation>文件中用来结束一行的字符</translation>
  </message>
  <message>
   <source>Characters: {n}</source>
   <translation>字符数：{n}</translation>
  </message>
  <message>
   <source>Chart as PNG…</source>
   <translation>图表存为 PNG…</translation>
  </message>
  <message>
   <source>Chart as SVG…</source>
   <translation>图表存为 SVG…</translation>
  </message>
  <message>
   <source>Chart of {name}</source>
   <translation>{name}的图表</translation>
  </message>
  <message>
   <source>Charts</source>
   <translation>图表</translation>
  </message>
  <message>
   <source>Check a run in the list to see its curves.</source>
   <translation>在列表中勾选一次训练，查看它的曲线。</translation>
  </message>
  <message>
   <source>Check the setting “{name}”.</source>
   <translation>请检查设置“{name}”。</translation>
  </message>
  <message>
   <source>Checked in the list above, in the colour of its curves</source>
   <translation>在上方列表中勾选，颜色与曲线相同</translation>
  </message>
  <message>
   <source>Checked texts are trained on, in this order.</source>
   <translation>训练使用勾选的文本，按此顺序。</translation>
  </message>
  <message>
   <source>Checking what is on this computer…</source>
   <translation>正在检查这台电脑上已有的内容…</translation>
  </message>
  <message>
   <source>Checkpoint after step {n}, validation loss {loss}.</source>
   <translation>第 {n} 步之后的检查点，验证损失 {loss}。</translation>
  </message>
  <message>
   <source>Checkpoint after step {n}.</source>
   <translation>第 {n} 步之后的检查点。</translation>
  </message>
  <message>
   <source>Checkpoints</source>
   <translation>检查点</translation>
  </message>
  <message>
   <source>Checkpoints and jumps on the loss curve</source>
   <translation>损失曲线上的检查点和跳升</translation>
  </message>
  <message>
   <source>Checkpoints appear here while a run trains: the model as it was after a step, to continue from, to generate with and to compare. One is saved at the end, and now and then before. Press Start to begin.</source>
   <translation>训练时检查点会出现在这里：模型在某一步之后的状态，可以从它继续训练、用它生成、与它比较。结束时保存一个，训练中也会定期保存。按“开始”即可开始训练。</translation>
  </message>
  <message>
   <source>Checkpoints kept in addition to the last one and the one with the lowest validation loss.</source>
   <translation>除最后一个和验证损失最低的一个之外，额外保留的检查点数。</translation>
  </message>
  <message>
   <source>Checkpoints of this run</source>
   <translation>这次训练的检查点</translation>
  </message>
  <message>
   <source>Checkpoints: {n}. Left and Right go from one to the next, Enter opens its menu.</source>
   <translation>检查点：{n} 个。用左右键逐个移动，按 Enter 打开菜单。</translation>
  </message>
  <message>
   <source>Choices</source>
   <translation>候选</translation>
  </message>
  <message>
   <source>Choices, branches, the inside of the model, experiments</source>
   <translation>候选、分支、模型内部、实验</translation>
  </message>
  <message>
   <source>Choose a checkpoint folder or a run folder</source>
   <translation>选择检查点文件夹或训练文件夹</translation>
  </message>
  <message>
   <source>Choose a checkpoint…</source>
   <translation>选择检查点…</translation>
  </message>
  <message>
   <source>Choose a file…</source>
   <translation>选择文件…</translation>
  </message>
  <message>
   <source>Choose a folder</source>
   <translation>选择文件夹</translation>
  </message>
  <message>
   <source>Choose a model and a place to save it first.</source>
   <translation>请先选择模型和保存位置。</translation>
  </message>
  <message>
   <source>Choose a model first.</source>
   <translation>请先选择模型。</translation>
  </message>
  <message>
   <source>Choose a run folder</source>
   <translation>选择训练文件夹</translation>
  </message>
  <message>
   <source>Choose a setting first.</source>
   <translation>请先选择设置。</translation>
  </message>
  <message>
   <source>Choose a size, or change any number. Parameters and memory are counted while you type; nothing is built before you start.</source>
   <translation>选择一个大小，或修改任意数字。参数量和内存会随输入即时计算；开始之前不会真正创建模型。</translation>
  </message>
  <message>
   <source>Choose a token that is underlined as copied first.</source>
   <translation>请先选择一个带照抄下划线的词元。</translation>
  </message>
  <message>
   <source>Choose a trained model on the other side first: the table is of its training text.</source>
   <translation>请先在另一侧选择一个训练过的模型：这张表统计的是它的训练文本。</translation>
  </message>
  <message>
   <source>Choose another location</source>
   <translation>选择其他位置</translation>
  </message>
  <message>
   <source>Choose one learner.</source>
   <translation>请选择一个学习者。</translation>
  </message>
  <message>
   <source>Choose one of your trained models.</source>
   <translation>请选择一个你训练过的模型。</translation>
  </message>
  <message>
   <source>Choose reports and packed runs</source>
   <translation>选择报告和打包的训练</translation>
  </message>
  <message>
   <source>Choose the folder of a class</source>
   <translation>选择班级的文件夹</translation>
  </message>
  <message>
   <source>Choose…</source>
   <translation>选择…</translation>
  </message>
  <message>
   <source>Chosen where nothing was trained on before.</source>
   <translation>尚未训练过时默认选择的文本。</translation>
  </message>
  <message>
   <source>Chosen: {token}</source>
   <translation>已选：{token}</translation>
  </message>
  <message>
   <source>Class view</source>
   <translation>班级视图</translation>
  </message>
  <message>
   <source>Class view…</source>
   <translation>班级视图…</translation>
  </message>
  <message>
   <source>Clean</source>
   <translation>干净</translation>
  </message>
  <message>
   <source>Clean prompt</source>
   <translation>干净提示词</translation>
  </message>
  <message>
   <source>Clean sentence</source>
   <translation>干净句子</translation>
  </message>
  <message>
   <source>Clear</source>
   <translation>清空</translation>
  </message>
  <message>
   <source>Clears the view. The run stays in Runs.</source>
   <translation>清空画面。训练保留在“训练记录”中。</translation>
  </message>
  <message>
   <source>Click a cell to copy that activation.</source>
   <translation>点击单元格，即可复制那个激活值。</translation>
  </message>
  <message>
   <source>Click a control to read about it in the manual</source>
   <translation>点击一个控件，在手册中阅读它的说明</translation>
  </message>
  <message>
   <source>Click a row to switch that component off.</source>
   <translation>点击一行，即可关闭那个组件。</translation>
  </message>
  <message>
   <source>Click a run in the list first.</source>
   <translation>请先在列表中单击一次训练。</translation>
  </message>
  <message>
   <source>Click a text in the list first.</source>
   <translation>请先在列表中点击一个文本。</translation>
  </message>
  <message>
   <source>Click a token for details.</source>
   <translation>单击词元，查看详情。</translation>
  </message>
  <message>
   <source>Click a token in the text, or choose one with the arrow keys.</source>
   <translation>请点击文本中的一个词元，或用方向键选择。</translation>
  </message>
  <message>
   <source>Click an ID to inspect it, then move the position.</source>
   <translation>点击一个 ID 查看它，再移动位置。</translation>
  </message>
  <message>
   <source>Click to continue from here, to generate with it, or to compare it.</source>
   <translation>点击后可从这里继续训练、用它生成或与它比较。</translation>
  </message>
  <message>
   <source>Click to read more.</source>
   <translation>点击了解更多。</translation>
  </message>
  <message>
   <source>Click: all candidates in Choices</source>
   <translation>单击：在“候选”中查看所有候选</translation>
  </message>
  <message>
   <source>Click: its nearest tokens in Neighbours</source>
   <translation>单击：在“近邻”中查看最近的词元</translation>
  </message>
  <message>
   <source>Click: this layer in Attention</source>
   <translation>单击：在“注意力”中查看这一层</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>关闭</translation>
  </message>
  <message>
   <source>Closes the window; a run is saved first</source>
   <translation>关闭窗口；进行中的训练会先保存</translation>
  </message>
  <message>
   <source>Closes this dialog</source>
   <translation>关闭此对话框</translation>
  </message>
  <message>
   <source>Closes this notice</source>
   <translation>关闭此提示</translation>
  </message>
  <message>
   <source>Collects the log and the versions in a file; nothing is sent</source>
   <translation>把日志和版本信息收集到一个文件中；不会发送任何东西</translation>
  </message>
  <message>
   <source>Colour by</source>
   <translation>着色依据</translation>
  </message>
  <message>
   <source>Colour of {curve}</source>
   <translation>{curve}的颜色</translation>
  </message>
  <message>
   <source>Colour tokens by</source>
   <translation>词元着色依据</translation>
  </message>
  <message>
   <source>Colours</source>
   <translation>配色</translation>
  </message>
  <message>
   <source>Colours the text above by how much the token under the pointer, or the chosen one, attends to each</source>
   <translation>按指针所指或选中的词元对各词元的关注程度，为上方文本着色</translation>
  </message>
  <message>
   <source>Combines what the heads have found.</source>
   <translation>把各头的结果组合起来。</translation>
  </message>
  <message>
   <source>Command</source>
   <translation>命令</translation>
  </message>
  <message>
   <source>Compare</source>
   <translation>比较</translation>
  </message>
  <message>
   <source>Compare strategies</source>
   <translation>比较策略</translation>
  </message>
  <message>
   <source>Compare two</source>
   <translation>并排比较</translation>
  </message>
  <message>
   <source>Compare with the end</source>
   <translation>与最后一个比较</translation>
  </message>
  <message>
   <source>Compare with the end, delete, restore</source>
   <translation>与最后一个比较、删除、还原</translation>
  </message>
  <message>
   <source>Compares the reports or packed runs of a class, without adding them to your runs</source>
   <translation>比较全班的报告或打包的训练记录，不会把它们加入你的训练列表</translation>
  </message>
  <message>
   <source>Compares two branches side by side: the two selected with Ctrl+click, or the displayed and the selected one.</source>
   <translation>并排查看两个分支：用 Ctrl+单击选出的两个，或当前显示的与选中的。</translation>
  </message>
  <message>
   <source>Compile</source>
   <translation>编译</translation>
  </message>
  <message>
   <source>Compile is on, but reference arithmetic computes as the book's code does, which is not compiled; turn off one of the two.</source>
   <translation>“编译”已打开，但参考运算按书中的代码计算，不经编译；请关闭其中之一。</translation>
  </message>
  <message>
   <source>Compiling the model</source>
   <translation>正在编译模型</translation>
  </message>
  <message>
   <source>Component</source>
   <translation>组件</translation>
  </message>
  <message>
   <source>Components with the largest effects</source>
   <translation>作用最大的组件</translation>
  </message>
  <message>
   <source>Compute</source>
   <translation>计算</translation>
  </message>
  <message>
   <source>Compute per model</source>
   <translation>每个模型的计算量</translation>
  </message>
  <message>
   <source>Compute per model: model {place} would be trained for {steps} steps; there must be between {low} and {high}. For it, choose between {least} and {most} TFLOP.</source>
   <translation>每个模型的计算量：第 {place} 个模型会训练 {steps} 步；步数必须在 {low} 到 {high} 之间。请为它选择 {least} 到 {most} TFLOP。</translation>
  </message>
  <message>
   <source>Computed with the weights as they are, not with the {precision} copy that wrote the text.</source>
   <translation>以原始权重计算，而不是生成文本所用的 {precision} 副本。</translation>
  </message>
  <message>
   <source>Computes exactly as the book's code does, slower.</source>
   <translation>完全按书中代码计算，较慢。</translation>
  </message>
  <message>
   <source>Computes exactly as the book's code does, slower: reproduces the book's printed numbers exactly.</source>
   <translation>完全按书中代码计算，较慢：精确重现书中印出的数字。</translation>
  </message>
  <message>
   <source>Computing…</source>
   <translation>正在计算…</translation>
  </message>
  <message>
   <source>Condition number</source>
   <translation>条件数</translation>
  </message>
  <message>
   <source>Contents</source>
   <translation>目录</translation>
  </message>
  <message>
   <source>Contents of the report</source>
   <translation>报告的内容</translation>
  </message>
  <message>
   <source>Context length</source>
   <translation>上下文长度</translation>
  </message>
  <message>
   <source>Context vectors: weights times values</source>
   <translation>上下文向量：权重乘以值</translation>
  </message>
  <message>
   <source>Contexts that it has seen</source>
   <translation>见过的上下文</translation>
  </message>
  <message>
   <source>Continue</source>
   <translation>继续</translation>
  </message>
  <message>
   <source>Continue at step {n}</source>
   <translation>从第 {n} 步继续</translation>
  </message>
  <message>
   <source>Continue from here</source>
   <translation>从这里继续</translation>
  </message>
  <message>
   <source>Continue from step {n}</source>
   <translation>从第 {n} 步继续</translation>
  </message>
  <message>
   <source>Continue from step {n} on the CPU</source>
   <translation>用 CPU 从第 {n} 步继续</translation>
  </message>
  <message>
   <source>Continue from step {n} with learning rate {rate:.3g}</source>
   <translation>从第 {n} 步以学习率 {rate:.3g} 继续</translation>
  </message>
  <message>
   <source>Continue with a lower learning rate</source>
   <translation>以更低的学习率继续</translation>
  </message>
  <message>
   <source>Continued after step {n}.</source>
   <translation>在第 {n} 步之后继续。</translation>
  </message>
  <message>
   <source>Continues exactly as if the run had never stopped. To start a new one, press Reset first.</source>
   <translation>接着训练，结果与从未停止完全一样。要开始新的训练，请先按“重置”。</translation>
  </message>
  <message>
   <source>Continues exactly where it was when its turn comes.</source>
   <translation>轮到它时从中断处精确继续。</translation>
  </message>
  <message>
   <source>Continues from the last checkpoint</source>
   <translation>从最后的检查点继续</translation>
  </message>
  <message>
   <source>Continues from the last checkpoint before the jump as a new run with a tenth of the learning rate; this run does not change.</source>
   <translation>从跳升之前的最后一个检查点起，以十分之一的学习率作为一次新的训练继续；这次训练保持不变。</translation>
  </message>
  <message>
   <source>Continues from the last checkpoint before the jump as a new run; this run does not change. With the same settings on the same device, the same steps come again, and the jump with them.</source>
   <translation>从跳升之前的最后一个检查点起作为一次新的训练继续；这次训练保持不变。在同一设备上以同样的设置，会重复同样的各步，跳升也会再次出现。</translation>
  </message>
  <message>
   <source>Continues from the last checkpoint, exactly as if the run had never stopped</source>
   <translation>从最后的检查点继续，与从未停止过完全一样</translation>
  </message>
  <message>
   <source>Continues from this checkpoint as a new run; this run does not change</source>
   <translation>从这个检查点起作为一次新的训练继续；原来的训练保持不变</translation>
  </message>
  <message>
   <source>Continues the same text with greedy decoding, this search and one sample.</source>
   <translation>用贪心解码、这次搜索和一个样本续写同一段文本。</translation>
  </message>
  <message>
   <source>Continues the text from the chosen token twice, without and with the change, with the same random numbers and the sampling settings of this page</source>
   <translation>从所选词元起将文本续写两次：一次不带改动，一次带改动；随机数相同，采样设置与本页一致</translation>
  </message>
  <message>
   <source>Continues with the next step</source>
   <translation>继续下一步</translation>
  </message>
  <message>
   <source>Copied</source>
   <translation>照抄</translation>
  </message>
  <message>
   <source>Copied (%)</source>
   <translation>照抄（%）</translation>
  </message>
  <message>
   <source>Copied as Python: {what}.</source>
   <translation>已复制为 Python：{what}。</translation>
  </message>
  <message>
   <source>Copied as a command: {what}.</source>
   <translation>已复制为命令：{what}。</translation>
  </message>
  <message>
   <source>Copied from the training text</source>
   <translation>照抄训练文本</translation>
  </message>
  <message>
   <source>Copied from the training text (%)</source>
   <translation>照抄自训练文本（%）</translation>
  </message>
  <message>
   <source>Copied from the training text. Click to open the passage in Texts.</source>
   <translation>照抄自训练文本。单击可在“文本集”页打开原文。</translation>
  </message>
  <message>
   <source>Copied from the training text: {share}</source>
   <translation>照抄训练文本：{share}</translation>
  </message>
  <message>
   <source>Copied share of each sample (%)</source>
   <translation>每个样本的照抄比例（%）</translation>
  </message>
  <message>
   <source>Copied: layer {layer}, position {position} (“{word}”). It recovers {share} % of the difference.</source>
   <translation>已复制：第 {layer} 层，位置 {position}（“{word}”）。它恢复了差别的 {share} %。</translation>
  </message>
  <message>
   <source>Copied: one of {n} tokens in a row that occur word for word in the training text</source>
   <translation>照抄：它所在的连续 {n} 个词元一字不差地出现在训练文本中</translation>
  </message>
  <message>
   <source>Copied: –</source>
   <translation>照抄：–</translation>
  </message>
  <message>
   <source>Copies Python that makes the same changes in the book's model</source>
   <translation>复制在书中的模型里作出同样改动的 Python 代码</translation>
  </message>
  <message>
   <source>Copies both texts</source>
   <translation>复制两段文本</translation>
  </message>
  <message>
   <source>Copies done</source>
   <translation>已完成的复制</translation>
  </message>
  <message>
   <source>Copies it to your imported models</source>
   <translation>复制到导入的模型中</translation>
  </message>
  <message>
   <source>Copies its model and settings to the panels, where you can change them and start</source>
   <translation>把它的模型和设置填入面板，可修改后开始</translation>
  </message>
  <message>
   <source>Copies the Python that does the same, with only what differs from the defaults</source>
   <translation>复制完成同样操作的 Python 代码，只写出与默认值不同的部分</translation>
  </message>
  <message>
   <source>Copies the code to the clipboard</source>
   <translation>把代码复制到剪贴板</translation>
  </message>
  <message>
   <source>Copies the line that does the same in a terminal, with only what differs from the defaults</source>
   <translation>复制在终端中完成同样操作的一行命令，只写出与默认值不同的部分</translation>
  </message>
  <message>
   <source>Copies the output of a layer's attention at one position from the clean run into the corrupted one: where the answer comes back, this layer moves the difference there.</source>
   <translation>把某一层在某一位置的注意力输出从干净运行复制到受损运行：答案在哪里恢复，这一层就把差异传到哪里。</translation>
  </message>
  <message>
   <source>Copies the output of a layer's feed-forward network (MLP) at one position from the clean run into the corrupted one.</source>
   <translation>把某一层前馈网络（MLP）在某一位置的输出从干净运行复制到受损运行。</translation>
  </message>
  <message>
   <source>Copies the output of one head at all positions from the clean run into the corrupted one.</source>
   <translation>把一个头在所有位置的输出从干净运行复制到受损运行。</translation>
  </message>
  <message>
   <source>Copies the prompt and all new tokens as text</source>
   <translation>以文本形式复制提示词和所有新词元</translation>
  </message>
  <message>
   <source>Copies the residual stream before a layer at one position from the clean run into the corrupted one: where the answer comes back, the difference is kept there.</source>
   <translation>把某一层之前、某一位置的残差流从干净运行复制到受损运行：答案在哪里恢复，差异就保存在哪里。</translation>
  </message>
  <message>
   <source>Copies the table for a spreadsheet</source>
   <translation>复制表格，可粘贴到电子表格中</translation>
  </message>
  <message>
   <source>Copies what is set here as a command or as Python</source>
   <translation>把这里的设置复制为命令或 Python</translation>
  </message>
  <message>
   <source>Copy</source>
   <translation>复制</translation>
  </message>
  <message>
   <source>Copy as Python</source>
   <translation>复制为 Python</translation>
  </message>
  <message>
   <source>Copy as code</source>
   <translation>复制为代码</translation>
  </message>
  <message>
   <source>Copy as command</source>
   <translation>复制为命令</translation>
  </message>
  <message>
   <source>Copy details</source>
   <translation>复制详细信息</translation>
  </message>
  <message>
   <source>Copy image</source>
   <translation>复制图片</translation>
  </message>
  <message>
   <source>Copy saved in</source>
   <translation>副本保存在</translation>
  </message>
  <message>
   <source>Copy table</source>
   <translation>复制表格</translation>
  </message>
  <message>
   <source>Copy text</source>
   <translation>复制文本</translation>
  </message>
  <message>
   <source>Copy this token's ID</source>
   <translation>复制这个词元的 ID</translation>
  </message>
  <message>
   <source>Copy this token's ID ({id})</source>
   <translation>复制这个词元的 ID（{id}）</translation>
  </message>
  <message>
   <source>Copy with colours (HTML)</source>
   <translation>带颜色复制 (HTML)</translation>
  </message>
  <message>
   <source>Copying (two passes)</source>
   <translation>正在复制（分两遍）</translation>
  </message>
  <message>
   <source>Copying {name} (two passes)</source>
   <translation>正在复制 {name}（分两遍）</translation>
  </message>
  <message>
   <source>Correct the marked settings first.</source>
   <translation>请先更正标出的设置。</translation>
  </message>
  <message>
   <source>Correct the settings first.</source>
   <translation>请先改正设置。</translation>
  </message>
  <message>
   <source>Corrupted</source>
   <translation>受损</translation>
  </message>
  <message>
   <source>Corrupted prompt</source>
   <translation>受损提示词</translation>
  </message>
  <message>
   <source>Corrupted sentence</source>
   <translation>受损句子</translation>
  </message>
  <message>
   <source>Could not move {path} to the trash: the system did not take it; some disks have no trash. Nothing was changed. You can delete it in the file manager.</source>
   <translation>无法将 {path} 移到回收站：系统没有接受，有些磁盘没有回收站。没有任何更改。可以在文件管理器中删除它。</translation>
  </message>
  <message>
   <source>Could not open {path}</source>
   <translation>无法打开 {path}</translation>
  </message>
  <message>
   <source>Could not open {path}: it is damaged ({what}).</source>
   <translation>无法打开 {path}：文件已损坏（{what}）。</translation>
  </message>
  <message>
   <source>Could not open {path}: it is not JSON, or it is damaged.</source>
   <translation>无法打开 {path}：它不是 JSON，或已损坏。</translation>
  </message>
  <message>
   <source>Could not open {path}: its texts were written with another vocabulary than that of the selected model, so the token IDs stand for other words. Select the model that wrote them, {model}, and open it again.</source>
   <translation>无法打开 {path}：其中的文本所用的词表与所选模型的词表不同，因此词元 ID 代表的是别的词。请选择写出这些文本的模型 {model}，然后重新打开。</translation>
  </message>
  <message>
   <source>Could not pack the run {name} into {path}</source>
   <translation>无法把训练 {name} 打包到 {path}</translation>
  </message>
  <message>
   <source>Could not reach {host}, or it stopped responding: {why}. There is no connection, or a firewall or proxy blocks it. Try again when you are connected; the partial download is kept.</source>
   <translation>无法连接 {host}，或它停止了响应：{why}。可能没有网络连接，或者被防火墙或代理阻挡。连上网络后请重试；已下载的部分会保留。</translation>
  </message>
  <message>
   <source>Could not read the translation file {file}. Reinstall GPT Studio.</source>
   <translation>无法读取翻译文件 {file}。请重新安装 GPT Studio。</translation>
  </message>
  <message>
   <source>Could not read {path}: {why}.</source>
   <translation>无法读取 {path}：{why}。</translation>
  </message>
  <message>
   <source>Could not read {path}: {why}. Copy the file of the same name from a checkpoint of this run.</source>
   <translation>无法读取 {path}：{why}。请从此次训练的检查点复制同名文件。</translation>
  </message>
  <message>
   <source>Could not remove {path}: {why}. It is in the zip; remove it by hand.</source>
   <translation>无法移除 {path}：{why}。它已在 zip 中，请手动移除。</translation>
  </message>
  <message>
   <source>Could not rename {model}: {why}.</source>
   <translation>无法重命名 {model}：{why}。</translation>
  </message>
  <message>
   <source>Could not restore {path}: {why}. It is still in the trash; you can restore it in the file manager.</source>
   <translation>无法还原 {path}：{why}。它仍在回收站中，可以在文件管理器中还原。</translation>
  </message>
  <message>
   <source>Could not save the checkpoint to {parent}: {error}. It needs {needed}; {free} are free there.</source>
   <translation>无法将检查点保存到 {parent}：{error}。它需要 {needed}，那里有 {free} 可用。</translation>
  </message>
  <message>
   <source>Could not save the model to {target}: {why}. Nothing was saved.</source>
   <translation>无法将模型保存到 {target}：{why}。没有保存任何内容。</translation>
  </message>
  <message>
   <source>Could not save the text in {path}: {why}.</source>
   <translation>无法把文本保存到 {path}：{why}。</translation>
  </message>
  <message>
   <source>Could not save the tokens of {name} in {folder}: {why}. They need about {size} there.</source>
   <translation>无法把 {name} 的词元保存到 {folder}：{why}。那里约需 {size}。</translation>
  </message>
  <message>
   <source>Could not save the tree to {path}: {why}. Export it as JSON to another location.</source>
   <translation>无法将文本树保存到 {path}：{why}。请将它以 JSON 导出到其他位置。</translation>
  </message>
  <message>
   <source>Could not save {path}: {why}. Choose another location.</source>
   <translation>无法保存 {path}：{why}。请换一个位置。</translation>
  </message>
  <message>
   <source>Could not write the zip to {folder}: {why}. Nothing was removed. Choose another folder, or make room there.</source>
   <translation>无法把 zip 写到 {folder}：{why}。没有移除任何东西。请选择其他文件夹，或在那里腾出空间。</translation>
  </message>
  <message>
   <source>Could not write to the folder {path}: {why}.</source>
   <translation>无法写入文件夹 {path}：{why}。</translation>
  </message>
  <message>
   <source>Could not write to the run folder {path}: {why}. Choose another folder.</source>
   <translation>无法写入训练文件夹 {path}：{why}。请选择其他文件夹。</translation>
  </message>
  <message>
   <source>Could not write to {folder}. The sweep {name} can only be viewed here.</source>
   <translation>无法写入 {folder}。在此只能查看参数扫描 {name}。</translation>
  </message>
  <message>
   <source>Could not write to {folder}: {why}. You can only view the run here.</source>
   <translation>无法写入 {folder}：{why}。在此只能查看该训练。</translation>
  </message>
  <message>
   <source>Could not write {path}: {why}. Free space there: {n} bytes. Free some space and try again.</source>
   <translation>无法写入 {path}：{why}。那里有 {n} 字节可用。请腾出一些空间后重试。</translation>
  </message>
  <message>
   <source>Could not write {path}: {why}. Nothing was saved. Choose another location, or free some space.</source>
   <translation>无法写入 {path}：{why}。没有保存任何内容。请换一个位置，或腾出空间。</translation>
  </message>
  <message>
   <source>Could not write {path}: {why}. The log of this run is kept in memory until the disk works again.</source>
   <translation>无法写入 {path}：{why}。在磁盘恢复正常之前，这次训练的日志保存在内存中。</translation>
  </message>
  <message>
   <source>Count</source>
   <translation>次数</translation>
  </message>
  <message>
   <source>Counted from 0.</source>
   <translation>从 0 数起。</translation>
  </message>
  <message>
   <source>Counts in the training text of the other side's model which token follows which two tokens, and only looks that up.</source>
   <translation>统计另一侧模型的训练文本中哪两个词元之后接着哪个词元，并且只查这些。</translation>
  </message>
  <message>
   <source>Created</source>
   <translation>创建时间</translation>
  </message>
  <message>
   <source>Ctrl+Enter</source>
   <translation>Ctrl+Enter</translation>
  </message>
  <message>
   <source>Ctrl+Enter or Space</source>
   <translation>Ctrl+Enter 或空格键</translation>
  </message>
  <message>
   <source>Curve colours</source>
   <translation>曲线颜色</translation>
  </message>
  <message>
   <source>Curves</source>
   <translation>曲线</translation>
  </message>
  <message>
   <source>Curves shown below the loss</source>
   <translation>损失下方显示哪些曲线</translation>
  </message>
  <message>
   <source>Dark</source>
   <translation>深色</translation>
  </message>
  <message>
   <source>Data (CSV)</source>
   <translation>数据 (CSV)</translation>
  </message>
  <message>
   <source>Data of selected runs (CSV)…</source>
   <translation>选中训练的数据 (CSV)…</translation>
  </message>
  <message>
   <source>Dead units (%)</source>
   <translation>失效单元（%）</translation>
  </message>
  <message>
   <source>Decoded again: another text.</source>
   <translation>重新解码：得到另一段文本。</translation>
  </message>
  <message>
   <source>Decoded again: identical to the original text.</source>
   <translation>重新解码：与原文完全一致。</translation>
  </message>
  <message>
   <source>Decoding strategies side by side</source>
   <translation>并排比较解码策略</translation>
  </message>
  <message>
   <source>Decoding with {weights} weights does not work on {name}. Choose fp32, or the CPU.</source>
   <translation>{name} 不能用 {weights} 权重解码。请选择 fp32，或使用 CPU。</translation>
  </message>
  <message>
   <source>Default</source>
   <translation>默认值</translation>
  </message>
  <message>
   <source>Default colours</source>
   <translation>默认颜色</translation>
  </message>
  <message>
   <source>Default order</source>
   <translation>默认顺序</translation>
  </message>
  <message>
   <source>Default size</source>
   <translation>默认大小</translation>
  </message>
  <message>
   <source>Delete</source>
   <translation>删除</translation>
  </message>
  <message>
   <source>Delete a step</source>
   <translation>删除步骤</translation>
  </message>
  <message>
   <source>Delete step {n} with its texts? It cannot be restored.</source>
   <translation>删除第 {n} 步及其文字？删除后无法恢复。</translation>
  </message>
  <message>
   <source>Deletes the step</source>
   <translation>删除这一步</translation>
  </message>
  <message>
   <source>Delete…</source>
   <translation>删除…</translation>
  </message>
  <message>
   <source>Device</source>
   <translation>设备</translation>
  </message>
  <message>
   <source>Device and arithmetic</source>
   <translation>设备与运算</translation>
  </message>
  <message>
   <source>Device memory that the program uses</source>
   <translation>程序占用的设备内存</translation>
  </message>
  <message>
   <source>Difference from the mean of its row: {sum}. Double-click to change it.</source>
   <translation>与本行均值之差：{sum}。双击可修改。</translation>
  </message>
  <message>
   <source>Differences between the selected runs</source>
   <translation>选中的训练之间的差异</translation>
  </message>
  <message>
   <source>Differences between these {n} runs</source>
   <translation>这 {n} 次训练的不同之处</translation>
  </message>
  <message>
   <source>Different texts: the losses cannot be compared.</source>
   <translation>文本不同：损失不能相互比较。</translation>
  </message>
  <message>
   <source>Digest (SHA-256)</source>
   <translation>摘要（SHA-256）</translation>
  </message>
  <message>
   <source>Direct</source>
   <translation>直接</translation>
  </message>
  <message>
   <source>Direct logit attribution is what the output itself adds to the logit, with σ of the last LayerNorm kept as it is. It does not see what later parts make of the output.</source>
   <translation>直接 logit 归因是输出自身给 logit 加上的量，最后一个层归一化的 σ 保持不变。后面的部分如何利用这个输出，它看不到。</translation>
  </message>
  <message>
   <source>Direct logit attribution: what the component itself adds to the token's logit, with the final norm frozen. All parts add up to the logit.</source>
   <translation>直接 logit 归因：固定最终归一化时，该组件自身对词元 logit 的贡献。各部分之和等于 logit。</translation>
  </message>
  <message>
   <source>Disk: up to {size}, {free} are free</source>
   <translation>磁盘：最多 {size}，可用 {free}</translation>
  </message>
  <message>
   <source>Distance from the start of one window to the start of the next.</source>
   <translation>从一个窗口的开头到下一个窗口的开头的距离。</translation>
  </message>
  <message>
   <source>Distance: {bits} bits</source>
   <translation>距离：{bits} 比特</translation>
  </message>
  <message>
   <source>Diverged and left out of the fit: {sizes}. Lower the learning rate.</source>
   <translation>已发散，未用于拟合：{sizes}。请降低学习率。</translation>
  </message>
  <message>
   <source>Divide by n - 1</source>
   <translation>除以 n - 1</translation>
  </message>
  <message>
   <source>Divide by √d_k</source>
   <translation>除以 √d_k</translation>
  </message>
  <message>
   <source>Divides by n - 1 instead of n to compute the variance.</source>
   <translation>计算方差时除以 n - 1，而不是 n。</translation>
  </message>
  <message>
   <source>Divides the logits: below 1 more predictable, above 1 more varied, 0 always the most likely token.</source>
   <translation>用来除 logit：小于 1 更稳定，大于 1 更多样，0 总取最可能的词元。</translation>
  </message>
  <message>
   <source>Divides the scores by the square root of the size of the keys.</source>
   <translation>把分数除以键的维数的平方根。</translation>
  </message>
  <message>
   <source>Do not expect to find either. At equal compute the curve bends: a model that is too large reads too little, one that is too small cannot use what it reads (Hoffmann et al., figure 3). The text is tiny, so every model reads it more than once and overfits; four points with noise leave the exponent uncertain; and with a vocabulary of 50,257, nearly all operations of models so small are in the output layer.</source>
   <translation>不要指望得到其中任何一个。计算量相等时曲线会弯：太大的模型读得太少，太小的模型用不上读到的内容（Hoffmann 等，图 3）。文本很短，每个模型都读了不止一遍，会过拟合；四个带噪声的点不足以确定指数；而且词表有 50,257 个词元，这么小的模型几乎所有运算都在输出层。</translation>
  </message>
  <message>
   <source>Done</source>
   <translation>完成</translation>
  </message>
  <message>
   <source>Dot product of query and key: how well what the row's token looks for matches what the column's token offers.</source>
   <translation>查询与键的点积：行词元所寻找的与列词元所提供的有多匹配。</translation>
  </message>
  <message>
   <source>Dot products</source>
   <translation>点积</translation>
  </message>
  <message>
   <source>Dot: the methods disagree about the sign. Components: {n} of {all}.</source>
   <translation>圆点：各方法对正负号的判断不一。组件：{all} 个中的 {n} 个。</translation>
  </message>
  <message>
   <source>Down</source>
   <translation>下移</translation>
  </message>
  <message>
   <source>Download</source>
   <translation>下载</translation>
  </message>
  <message>
   <source>Download GPT-2</source>
   <translation>下载 GPT-2</translation>
  </message>
  <message>
   <source>Download GPT-2…</source>
   <translation>下载 GPT-2…</translation>
  </message>
  <message>
   <source>Download The Verdict</source>
   <translation>下载 The Verdict</translation>
  </message>
  <message>
   <source>Downloading The Verdict: {done}</source>
   <translation>正在下载 The Verdict：{done}</translation>
  </message>
  <message>
   <source>Downloading {name}</source>
   <translation>正在下载 {name}</translation>
  </message>
  <message>
   <source>Downloads a GPT-2 published by OpenAI</source>
   <translation>下载 OpenAI 发布的模型</translation>
  </message>
  <message>
   <source>Downloads and imports it</source>
   <translation>下载并导入</translation>
  </message>
  <message>
   <source>Drag to a step, or use the arrow keys</source>
   <translation>拖到某一步，或使用方向键</translation>
  </message>
  <message>
   <source>Drag to read the text that the model generated after each epoch.</source>
   <translation>拖动以阅读模型在每轮之后生成的文本。</translation>
  </message>
  <message>
   <source>Drag to resize the two parts.</source>
   <translation>拖动以调整两部分的大小。</translation>
  </message>
  <message>
   <source>Drag to see the probabilities at each evaluation (Left, Right)</source>
   <translation>拖动以查看每次评估时的概率（左、右方向键）</translation>
  </message>
  <message>
   <source>Drag, or press Alt and an arrow key in its column, to apply it earlier or later.</source>
   <translation>拖动它，或在它那一列按 Alt 加方向键，让它更早或更晚起作用。</translation>
  </message>
  <message>
   <source>Drag, or press Alt and an arrow key, to apply it earlier or later.</source>
   <translation>拖动它，或按 Alt 加方向键，让它更早或更晚起作用。</translation>
  </message>
  <message>
   <source>Draw again</source>
   <translation>再抽一次</translation>
  </message>
  <message>
   <source>Draw {n} times</source>
   <translation>抽取 {n} 次</translation>
  </message>
  <message>
   <source>Drawn</source>
   <translation>抽中</translation>
  </message>
  <message>
   <source>Drawn {count} times out of {n}; expected: {p} × {n} = {expected}</source>
   <translation>{n} 次中抽中 {count} 次；期望：{p} × {n} = {expected}</translation>
  </message>
  <message>
   <source>Draws</source>
   <translation>抽取次数</translation>
  </message>
  <message>
   <source>Draws arcs from the token to the five that it attends to most, the thicker the more</source>
   <translation>从该词元向它最关注的五个词元画弧线，越粗表示越关注</translation>
  </message>
  <message>
   <source>Draws only from this many of the most likely tokens, or leave empty to draw from all.</source>
   <translation>只从这么多个最可能的词元中抽取；留空则从全部词元中抽取。</translation>
  </message>
  <message>
   <source>Draws only from this many of the most likely words, or leave empty to draw from all nine.</source>
   <translation>只从最可能的这么多个词中抽取；留空则从全部九个中抽取。</translation>
  </message>
  <message>
   <source>Draws the curves of all checked runs over the same quantity</source>
   <translation>用同一个量作横轴绘制所有勾选训练的曲线</translation>
  </message>
  <message>
   <source>Draws the curves over epochs, steps or time</source>
   <translation>以轮次、步数或时间为横轴绘制曲线</translation>
  </message>
  <message>
   <source>Draws: {n}; mean so far: {average}</source>
   <translation>前 {n} 次抽取的平均值：{average}</translation>
  </message>
  <message>
   <source>Drop incomplete last batch</source>
   <translation>丢弃不完整的最后批次</translation>
  </message>
  <message>
   <source>Dropout</source>
   <translation>Dropout</translation>
  </message>
  <message>
   <source>Dropout after the embeddings, or leave empty to use Dropout.</source>
   <translation>嵌入之后的 Dropout。留空：与 Dropout 相同。</translation>
  </message>
  <message>
   <source>Dropout before each shortcut connection is added, or leave empty to use Dropout.</source>
   <translation>每次与快捷连接相加之前的 Dropout。留空：与 Dropout 相同。</translation>
  </message>
  <message>
   <source>Dropout by itself, or at its places in a transformer block</source>
   <translation>单独的 dropout，或它在 Transformer 块中的各个位置</translation>
  </message>
  <message>
   <source>Dropout on the attention weights, or leave empty to use Dropout.</source>
   <translation>注意力权重上的 Dropout。留空：与 Dropout 相同。</translation>
  </message>
  <message>
   <source>Dropout seed</source>
   <translation>Dropout 的随机种子</translation>
  </message>
  <message>
   <source>Dropped for this one text: {dropped} of {all} numbers.</source>
   <translation>处理这一段文本时，{all} 个数中丢弃了 {dropped} 个。</translation>
  </message>
  <message>
   <source>Dropped in this draw: {dropped} of {all} numbers ({share})</source>
   <translation>这次抽取丢弃了 {all} 个数中的 {dropped} 个（{share}）</translation>
  </message>
  <message>
   <source>Dropped numbers</source>
   <translation>被丢弃的数</translation>
  </message>
  <message>
   <source>Dropped: {dropped} of {all} squares</source>
   <translation>{all} 个方格中丢弃了 {dropped} 个</translation>
  </message>
  <message>
   <source>Dropped: {dropped} of {all} weights. The row of “{word}” now sums to {sum}.</source>
   <translation>{all} 个权重中丢弃了 {dropped} 个。“{word}”一行之和现为 {sum}。</translation>
  </message>
  <message>
   <source>Dropped: {zeros} of {all} numbers. The rest are multiplied by 1 / (1 − {rate}) = {scale}. The mean was {before} and is now {after}; averaged over {n} draws it is {average}.</source>
   <translation>{all} 个数中丢弃了 {zeros} 个；其余乘以 1 / (1 − {rate}) = {scale}。平均值原为 {before}，现为 {after}；{n} 次抽取的平均为 {average}。</translation>
  </message>
  <message>
   <source>Drops the last batch if it has fewer windows than the others.</source>
   <translation>最后一个批次的窗口比其他批次少时将其丢弃。</translation>
  </message>
  <message>
   <source>Duplicate token</source>
   <translation>重复词元</translation>
  </message>
  <message>
   <source>During training, a fraction p of the numbers, the dropout rate, is dropped at random at every step: set to 0, so that nothing relies on a single number. The others are scaled up to make up for the dropped ones: over many draws the mean stays the same. In evaluation mode nothing is dropped.</source>
   <translation>训练时，每一步都随机丢弃一部分数，比例为 p（丢弃率）：这些数变为 0，使任何部分都不会只依赖某一个数。其余的数按比例放大，以补偿被丢弃的数：多次抽取后平均值不变。评估模式下什么也不丢弃。</translation>
  </message>
  <message>
   <source>During training, some weights are dropped at random, so that the model does not rely on a single word. The others are divided by 1 − rate. A row then sums to 1 only on average.</source>
   <translation>训练时随机丢弃一部分权重，使模型不会只依赖某一个词。其余的除以 1 − 丢弃率。这样一行之和只在平均意义上为 1。</translation>
  </message>
  <message>
   <source>E, row {id}</source>
   <translation>E，第 {id} 行</translation>
  </message>
  <message>
   <source>Each ID selects its row of the matrix.</source>
   <translation>每个 ID 取矩阵中对应的一行。</translation>
  </message>
  <message>
   <source>Each batch here has {n} windows.</source>
   <translation>这里每个批次有 {n} 个窗口。</translation>
  </message>
  <message>
   <source>Each head h computes its own context vector.</source>
   <translation>每个头 h 各自算出一个上下文向量。</translation>
  </message>
  <message>
   <source>Each normalised number is multiplied by this.</source>
   <translation>归一化后的每个数都乘以它。</translation>
  </message>
  <message>
   <source>Each position selects its row; all texts share these rows.</source>
   <translation>每个位置取对应的一行；所有文本共用。</translation>
  </message>
  <message>
   <source>Each row becomes weights that sum to 1.</source>
   <translation>每一行变为和为 1 的权重。</translation>
  </message>
  <message>
   <source>Each score divided by √{d} = {root}, the square root of the query dimension, to keep the values moderate.</source>
   <translation>每个分数除以查询维度的平方根 √{d} = {root}，使数值不致过大。</translation>
  </message>
  <message>
   <source>Each token separately: four times as wide, GELU, back to its width.</source>
   <translation>逐个词元单独处理：四倍宽度、GELU、恢复原宽度。</translation>
  </message>
  <message>
   <source>Each word makes the sum smaller, so short texts win. A length penalty α above 0 divides by the length and lets longer ones gain. A text that has ended keeps its place until a better one takes it.</source>
   <translation>每个词都让和变小，所以短文本占优势。长度惩罚 α 大于 0 时除以长度，较长的文本因此得益。已结束的文本保留位置，直到被更好的文本取代。</translation>
  </message>
  <message>
   <source>Edit text</source>
   <translation>编辑文本</translation>
  </message>
  <message>
   <source>Effect of each copied activation; use the arrow keys to move</source>
   <translation>每个被复制的激活值的效果；用方向键移动</translation>
  </message>
  <message>
   <source>Effective choices</source>
   <translation>有效候选数</translation>
  </message>
  <message>
   <source>Eight windows of four</source>
   <translation>八个长度为四的窗口</translation>
  </message>
  <message>
   <source>Embedding</source>
   <translation>嵌入</translation>
  </message>
  <message>
   <source>Embedding dropout</source>
   <translation>嵌入 Dropout</translation>
  </message>
  <message>
   <source>Embedding of “{token}” and of its position</source>
   <translation>“{token}”的嵌入与其位置嵌入</translation>
  </message>
  <message>
   <source>Embeddings</source>
   <translation>嵌入</translation>
  </message>
  <message>
   <source>Empties the table; the files stay where they are</source>
   <translation>清空表格；文件本身不受影响</translation>
  </message>
  <message>
   <source>Encoding</source>
   <translation>编码</translation>
  </message>
  <message>
   <source>End lesson</source>
   <translation>结束课程</translation>
  </message>
  <message>
   <source>End of the lesson</source>
   <translation>课程结束</translation>
  </message>
  <message>
   <source>End the tour</source>
   <translation>结束导览</translation>
  </message>
  <message>
   <source>Ended with an error.</source>
   <translation>因错误而结束。</translation>
  </message>
  <message>
   <source>Ended with an error. You can continue from the last checkpoint.</source>
   <translation>因错误而结束。可以从最后的检查点继续。</translation>
  </message>
  <message>
   <source>Ends and saves the run, and clears the view. The run stays in Runs; you can continue it there.</source>
   <translation>结束并保存训练，清空画面。训练保留在“训练记录”中，可以在那里继续。</translation>
  </message>
  <message>
   <source>Ends the run after its step and saves it; the queue continues exactly there</source>
   <translation>在当前步后结束并保存训练；队列将从此处精确继续</translation>
  </message>
  <message>
   <source>Ends the run after this step and saves it; you can continue it later (Esc)</source>
   <translation>在这一步之后结束并保存训练，以后可以继续（Esc）</translation>
  </message>
  <message>
   <source>Ends the test; nothing is changed</source>
   <translation>结束测试；不更改任何内容</translation>
  </message>
  <message>
   <source>Enter a name first.</source>
   <translation>请先输入名称。</translation>
  </message>
  <message>
   <source>Enter a text first.</source>
   <translation>请先输入文本。</translation>
  </message>
  <message>
   <source>Enter a title first.</source>
   <translation>请先输入标题。</translation>
  </message>
  <message>
   <source>Entropy</source>
   <translation>熵</translation>
  </message>
  <message>
   <source>Entropy here: {bits} bits</source>
   <translation>此处的熵：{bits} 比特</translation>
  </message>
  <message>
   <source>Entropy in bits: how uncertain the choice is, as the model gives it and after all sampling stages. 0 means certain.</source>
   <translation>熵，以比特计：选择有多不确定，先是模型给出的，再是经过所有采样阶段之后的。完全确定时为 0。</translation>
  </message>
  <message>
   <source>Entropy: {n} bits</source>
   <translation>熵：{n} 比特</translation>
  </message>
  <message>
   <source>Epoch {n}, step {step}</source>
   <translation>第 {n} 轮，第 {step} 步</translation>
  </message>
  <message>
   <source>Epochs</source>
   <translation>轮数</translation>
  </message>
  <message>
   <source>Epochs or steps</source>
   <translation>轮或步</translation>
  </message>
  <message>
   <source>Epsilon</source>
   <translation>ε</translation>
  </message>
  <message>
   <source>Estimate before the run: {expected}.</source>
   <translation>开始前的预计：{expected}。</translation>
  </message>
  <message>
   <source>Estimated for training: {needed} of {free} free memory, about {time}.</source>
   <translation>预计训练需要 {needed} 内存，可用 {free}；大约用时 {time}。</translation>
  </message>
  <message>
   <source>Estimated memory</source>
   <translation>预计内存</translation>
  </message>
  <message>
   <source>Estimated memory for training: {needed} of {free} free.</source>
   <translation>预计训练需要 {needed} 内存，可用 {free}。</translation>
  </message>
  <message>
   <source>Estimated memory for training: {needed}; free: {free}.</source>
   <translation>预计训练需要 {needed} 内存，可用 {free}。</translation>
  </message>
  <message>
   <source>Evaluate every</source>
   <translation>评估间隔</translation>
  </message>
  <message>
   <source>Evaluation</source>
   <translation>评估</translation>
  </message>
  <message>
   <source>Evaluation: eval()</source>
   <translation>评估：eval()</translation>
  </message>
  <message>
   <source>Every day</source>
   <translation>每一天</translation>
  </message>
  <message>
   <source>Every effort</source>
   <translation>每一份努力</translation>
  </message>
  <message>
   <source>Every effort moves you … {words}</source>
   <translation>Every effort moves you … {words}</translation>
  </message>
  <message>
   <source>Every merge makes the text shorter and the vocabulary larger. The first merges save hundreds of tokens, the last ones two or three. GPT-2 stopped after 50,000 merges of 40 GB of text.</source>
   <translation>每次合并都使文本变短、词表变大。最初的合并省下数百个词元，最后的只省下两三个。GPT-2 在 40 GB 文本上合并了 50,000 次后停止。</translation>
  </message>
  <message>
   <source>Every run that you train, here or with gptstudio train, is saved and listed on this page.</source>
   <translation>每一次训练，无论在这里还是用 gptstudio train，都会保存并列在本页。</translation>
  </message>
  <message>
   <source>Everything you saved is safe, and you can continue working. The details help to fix the problem.</source>
   <translation>已保存的内容都还在，你可以继续工作。详细信息有助于修复这个问题。</translation>
  </message>
  <message>
   <source>Everything: all checkpoints, settings and log</source>
   <translation>全部：所有检查点、设置和日志</translation>
  </message>
  <message>
   <source>Exactly as if the run had never stopped</source>
   <translation>与训练从未停止过完全一样</translation>
  </message>
  <message>
   <source>Examples</source>
   <translation>示例</translation>
  </message>
  <message>
   <source>Experiment: {title}</source>
   <translation>实验：{title}</translation>
  </message>
  <message>
   <source>Experiments</source>
   <translation>实验</translation>
  </message>
  <message>
   <source>Explanation</source>
   <translation>解释</translation>
  </message>
  <message>
   <source>Export</source>
   <translation>导出</translation>
  </message>
  <message>
   <source>Export JSON…</source>
   <translation>导出 JSON…</translation>
  </message>
  <message>
   <source>Export model</source>
   <translation>导出模型</translation>
  </message>
  <message>
   <source>Export table (CSV)…</source>
   <translation>导出表格（CSV）…</translation>
  </message>
  <message>
   <source>Export this model…</source>
   <translation>导出此模型…</translation>
  </message>
  <message>
   <source>Exporting</source>
   <translation>正在导出</translation>
  </message>
  <message>
   <source>Exporting {name}</source>
   <translation>正在导出 {name}</translation>
  </message>
  <message>
   <source>Exports are saved here unless you choose another place</source>
   <translation>导出的文件默认保存在这里，也可另选位置</translation>
  </message>
  <message>
   <source>Exports the model selected on the Generate tab, for transformers or for the book's code</source>
   <translation>“生成”页选中的模型，供 transformers 或书中代码使用</translation>
  </message>
  <message>
   <source>Exports the text with its colours and values</source>
   <translation>导出文本及其颜色和数值</translation>
  </message>
  <message>
   <source>Export…</source>
   <translation>导出…</translation>
  </message>
  <message>
   <source>Extra checkpoints kept</source>
   <translation>额外保留的检查点</translation>
  </message>
  <message>
   <source>F2 or double-click the name</source>
   <translation>F2 或双击名称</translation>
  </message>
  <message>
   <source>Failed</source>
   <translation>失败</translation>
  </message>
  <message>
   <source>Failed: {n}</source>
   <translation>失败：{n}</translation>
  </message>
  <message>
   <source>Fastest: {layer}, moving {n} times as fast as the median layer.</source>
   <translation>最快：{layer}，速度是各层中位数的 {n} 倍。</translation>
  </message>
  <message>
   <source>Feed-forward</source>
   <translation>前馈网络</translation>
  </message>
  <message>
   <source>Feed-forward network</source>
   <translation>前馈网络</translation>
  </message>
  <message>
   <source>Feed-forward parameters</source>
   <translation>前馈网络的参数</translation>
  </message>
  <message>
   <source>Few units are dead: at most {share} %, in {layer}.</source>
   <translation>失效单元很少：最多 {share} %，在{layer}。</translation>
  </message>
  <message>
   <source>Fewer settings</source>
   <translation>收起设置</translation>
  </message>
  <message>
   <source>File</source>
   <translation>文件</translation>
  </message>
  <message>
   <source>File not found: “{path}”. Choose a lesson, which is a TOML file.</source>
   <translation>找不到文件“{path}”。请选择一个课程（TOML 文件）。</translation>
  </message>
  <message>
   <source>Files that you open are listed here.</source>
   <translation>你打开的文件会列在这里。</translation>
  </message>
  <message>
   <source>Fills the fields with two prompts that are known from the literature</source>
   <translation>用文献中已知的两个提示词填入各栏</translation>
  </message>
  <message>
   <source>Find a learning rate</source>
   <translation>查找学习率</translation>
  </message>
  <message>
   <source>Find rate…</source>
   <translation>查找学习率…</translation>
  </message>
  <message>
   <source>Fine-tuning</source>
   <translation>微调</translation>
  </message>
  <message>
   <source>Finish</source>
   <translation>完成</translation>
  </message>
  <message>
   <source>Finished</source>
   <translation>已完成</translation>
  </message>
  <message>
   <source>Finished and saved. Try it in Generate.</source>
   <translation>已完成并保存。可在“生成”页试用。</translation>
  </message>
  <message>
   <source>Finished.</source>
   <translation>已完成。</translation>
  </message>
  <message>
   <source>First guess: {question}</source>
   <translation>先猜一猜：{question}</translation>
  </message>
  <message>
   <source>First position</source>
   <translation>第一个词元的位置</translation>
  </message>
  <message>
   <source>First sample</source>
   <translation>第一个样本</translation>
  </message>
  <message>
   <source>First sentence</source>
   <translation>第一句</translation>
  </message>
  <message>
   <source>First text</source>
   <translation>首选文本</translation>
  </message>
  <message>
   <source>First the text is split into words, each with the space before it, shown as ␣. A word starts as single bytes. Of all adjacent pairs, the one whose merge was learned first is merged, again and again, until no learned merge applies.</source>
   <translation>文本先被切成词，每个词带着前面的空格，显示为 ␣。一个词起初是单个字节。在所有相邻片段中，合并最早学到的那一对，如此反复，直到没有可用的合并规则。</translation>
  </message>
  <message>
   <source>First window</source>
   <translation>第一个窗口</translation>
  </message>
  <message>
   <source>First words drawn</source>
   <translation>最先抽到的词</translation>
  </message>
  <message>
   <source>Fit ± 1 standard error</source>
   <translation>拟合 ± 1 个标准误差</translation>
  </message>
  <message>
   <source>Five callouts, 60 seconds</source>
   <translation>五条提示，约 60 秒</translation>
  </message>
  <message>
   <source>Floating-point operations for which each model is trained, in 10¹²: three times those of a forward pass, output layer and attention included. The smaller the model, the more tokens it reads.</source>
   <translation>每个模型训练所用的浮点运算次数，单位 10¹²：前向传播的三倍，含输出层和注意力。模型越小，读的词元越多。</translation>
  </message>
  <message>
   <source>Fold the Model panel</source>
   <translation>收起模型面板</translation>
  </message>
  <message>
   <source>Fold the lesson</source>
   <translation>折叠课程</translation>
  </message>
  <message>
   <source>Folder</source>
   <translation>文件夹</translation>
  </message>
  <message>
   <source>Folder for exports</source>
   <translation>导出文件夹</translation>
  </message>
  <message>
   <source>Folds the Model panel (Ctrl+M)</source>
   <translation>折叠模型面板 (Ctrl+M)</translation>
  </message>
  <message>
   <source>Folds the lesson to a bar, to leave the page more room</source>
   <translation>把课程折叠成一条，给页面留出更多空间</translation>
  </message>
  <message>
   <source>Follow one token down: it becomes a row of numbers, and every block outputs a row of the same length. Click a step with ▸ to see what is inside.</source>
   <translation>跟着一个词元往下看：它变成一行数，每个块输出的也是同样长的一行。点击带 ▸ 的步骤可查看内部。</translation>
  </message>
  <message>
   <source>Follow system</source>
   <translation>跟随系统</translation>
  </message>
  <message>
   <source>For comparison: batch normalisation</source>
   <translation>对照：批归一化</translation>
  </message>
  <message>
   <source>For generation</source>
   <translation>生成所需</translation>
  </message>
  <message>
   <source>For one token: {numbers}.</source>
   <translation>每个词元：{numbers}。</translation>
  </message>
  <message>
   <source>For this text: {value}.</source>
   <translation>本次生成：{value}。</translation>
  </message>
  <message>
   <source>For training</source>
   <translation>训练所需</translation>
  </message>
  <message>
   <source>For {steps} steps, the loss was more than {factor} times that of random guessing ({guessing}), and it is {loss}</source>
   <translation>损失已连续 {steps} 步超过随机猜测（{guessing}）的 {factor} 倍，现为 {loss}</translation>
  </message>
  <message>
   <source>Format</source>
   <translation>格式</translation>
  </message>
  <message>
   <source>Forward</source>
   <translation>前进</translation>
  </message>
  <message>
   <source>Forward one token</source>
   <translation>前进一个词元</translation>
  </message>
  <message>
   <source>Found</source>
   <translation>搜索结果</translation>
  </message>
  <message>
   <source>Four sizes, equal compute: how the loss changes with the number of parameters.</source>
   <translation>四种规模，相同计算量：损失随参数数量怎样变化。</translation>
  </message>
  <message>
   <source>Fraction of the numbers set to zero, as in training. 0: none.</source>
   <translation>置零的数所占的比例，与训练时相同。0：没有。</translation>
  </message>
  <message>
   <source>Fraction of the numbers that is dropped.</source>
   <translation>被丢弃的数所占的比例。</translation>
  </message>
  <message>
   <source>Fraction of the weights that is dropped.</source>
   <translation>被丢弃的权重所占的比例。</translation>
  </message>
  <message>
   <source>Freeze</source>
   <translation>冻结</translation>
  </message>
  <message>
   <source>Freeze blocks</source>
   <translation>冻结块数</translation>
  </message>
  <message>
   <source>Freeze blocks is {blocks}; the model has {layers} blocks, so it must be at most {layers}.</source>
   <translation>冻结块数为 {blocks}；模型有 {layers} 个块，因此最多为 {layers}。</translation>
  </message>
  <message>
   <source>Freeze leaves nothing to train; leave at least one part unfrozen.</source>
   <translation>“冻结”没有留下任何可训练的部分；至少要有一个部分不冻结。</translation>
  </message>
  <message>
   <source>Freezes where this head attends: to all tokens so far alike, to the previous token, or to the token itself</source>
   <translation>固定该注意力头的关注对象：均匀关注此前所有词元、前一个词元，或词元自身</translation>
  </message>
  <message>
   <source>Freq.</source>
   <translation>频率</translation>
  </message>
  <message>
   <source>Frequency</source>
   <translation>频率</translation>
  </message>
  <message>
   <source>Frequency penalty</source>
   <translation>频率惩罚</translation>
  </message>
  <message>
   <source>From</source>
   <translation>从</translation>
  </message>
  <message>
   <source>From a table to a GPT</source>
   <translation>从查表到 GPT</translation>
  </message>
  <message>
   <source>From embedding to logits, after “{token}”</source>
   <translation>从嵌入到 logits，“{token}”之后</translation>
  </message>
  <message>
   <source>From logits to text, one step at a time.</source>
   <translation>从 logits 到文本，一步一步来。</translation>
  </message>
  <message>
   <source>From nine probabilities to one sampled word.</source>
   <translation>从九个概率到抽出的一个词。</translation>
  </message>
  <message>
   <source>From step {n} on it has been memorising its training text (overfitting).</source>
   <translation>从第 {n} 步起，它在记忆训练文本（过拟合）。</translation>
  </message>
  <message>
   <source>From step {n} on, the learning rate is {rate}.</source>
   <translation>从第 {n} 步起学习率为 {rate}。</translation>
  </message>
  <message>
   <source>From text to numbers</source>
   <translation>从文本到数字</translation>
  </message>
  <message>
   <source>From the embedding to the logits: what each layer writes and would say</source>
   <translation>从嵌入到 logits：每一层写入多少、会说什么</translation>
  </message>
  <message>
   <source>From the first difference: {sums}</source>
   <translation>从第一处不同起：{sums}</translation>
  </message>
  <message>
   <source>From {low} to {high}: {before} of the numbers before GELU, {after} after</source>
   <translation>{low} 到 {high}：GELU 之前占 {before}，之后占 {after}</translation>
  </message>
  <message>
   <source>From “{before}” to “{after}”.</source>
   <translation>从“{before}”到“{after}”。</translation>
  </message>
  <message>
   <source>Full screen with folded panels, large text and thick curves, light on dark; Escape leaves it</source>
   <translation>全屏，面板折叠，大号文字，粗曲线，深色背景；按 Escape 退出</translation>
  </message>
  <message>
   <source>GELU</source>
   <translation>GELU</translation>
  </message>
  <message>
   <source>GELU (exact)</source>
   <translation>GELU（精确）</translation>
  </message>
  <message>
   <source>GELU (tanh)</source>
   <translation>GELU（tanh）</translation>
  </message>
  <message>
   <source>GELU has its minimum, {y}, at x = {x}, where its slope is 0. To the left, the slope is negative.</source>
   <translation>GELU 在 x = {x} 处取最小值 {y}，斜率为 0。在它左边斜率为负。</translation>
  </message>
  <message>
   <source>GELU is applied to each number separately; it has no parameters to learn.</source>
   <translation>GELU 单独作用于每个数；它没有需要学习的参数。</translation>
  </message>
  <message>
   <source>GELU is smooth and lets small negative numbers through slightly. The second form was cheaper to compute; GPT-2 was trained with it.</source>
   <translation>GELU 是平滑的，负数也能通过一点。第二种形式计算量更小；GPT-2 就是用它训练的。</translation>
  </message>
  <message>
   <source>GELU of x is x times the cumulative distribution function of the standard normal distribution at x</source>
   <translation>GELU(x) 等于 x 乘以标准正态分布在 x 处的累积分布函数值</translation>
  </message>
  <message>
   <source>GGUF (llama.cpp)</source>
   <translation>GGUF（llama.cpp）</translation>
  </message>
  <message>
   <source>GPT Studio</source>
   <translation>GPT Studio</translation>
  </message>
  <message>
   <source>GPT Studio is a small laboratory for GPT-2, the kind of model behind chatbots. You build one in any size, train it on your own computer, and watch how it chooses every token. Nothing is sent anywhere, and no network is needed.</source>
   <translation>GPT Studio 是一个小型实验室，用来研究 GPT-2，也就是聊天机器人背后的那类模型。你可以搭建任意大小的模型，在自己的电脑上训练，并观察它如何选出每个词元。数据不会发送到任何地方，也不需要网络。</translation>
  </message>
  <message>
   <source>GPT Studio manual</source>
   <translation>GPT Studio 手册</translation>
  </message>
  <message>
   <source>GPT Studio model</source>
   <translation>GPT Studio 的模型</translation>
  </message>
  <message>
   <source>GPT Studio opens the book's .pth files, checkpoints of nanoGPT and published GPT-2 models: a folder with config.json and model.safetensors (or pytorch_model.bin), or one of these files.</source>
   <translation>GPT Studio 可以打开书中代码的 .pth 文件、nanoGPT 的检查点和已发布的 GPT-2 模型：含有 config.json 和 model.safetensors（或 pytorch_model.bin）的文件夹，或其中一个文件。</translation>
  </message>
  <message>
   <source>GPT Studio quit unexpectedly twice in a row while starting. It can start without restoring the last session (model, settings, window). Those settings are set aside, not deleted. Your runs, models and texts are not affected.</source>
   <translation>GPT Studio 连续两次在启动时意外退出。它可以不恢复上次会话（模型、设置、窗口状态）来启动。这些内容只是移到一边，不会删除；你的训练、模型和文本不受影响。</translation>
  </message>
  <message>
   <source>GPT Studio then closes, and opens again as it does for a new user.</source>
   <translation>然后 GPT Studio 关闭，并像对新用户那样重新打开。</translation>
  </message>
  <message>
   <source>GPT Studio was updated while it runs. This window keeps using the old version; save or finish what is running, then start GPT Studio again to use the new one.</source>
   <translation>GPT Studio 在运行时已被更新。此窗口继续使用旧版本；请保存或完成正在进行的工作，然后重新启动，即可使用新版本。</translation>
  </message>
  <message>
   <source>GPT Studio {version}</source>
   <translation>GPT Studio {version}</translation>
  </message>
  <message>
   <source>GPT applies dropout in three places. They can share one rate; exercise 4.3 gives each its own. Leave a field empty to use the common rate. The squares show the first numbers of the first such tensor: one row per token, filled where a number is kept.</source>
   <translation>GPT 在三处使用 Dropout。三处可以共用一个丢弃率；练习 4.3 给每处单独设置。某一栏留空则使用共同的丢弃率。小方格是第一个这样的张量的头几个数：每个词元一行，实心表示保留。</translation>
  </message>
  <message>
   <source>GPT-2</source>
   <translation>GPT-2</translation>
  </message>
  <message>
   <source>GPT-2 ({n} tokens)</source>
   <translation>GPT-2（{n} 个词元）</translation>
  </message>
  <message>
   <source>GPT-2 consists of a few tables and matrices. Four settings decide how many parameters they hold: the number of layers L, the width D, the vocabulary V and the context C. The heads divide the width among themselves and do not change the total.</source>
   <translation>GPT-2 不过是几张表和若干矩阵。参数量由四个设置决定：层数 L、宽度 D、词表 V 和上下文 C。各个头平分宽度，不改变总数。</translation>
  </message>
  <message>
   <source>GPT-2 in Hugging Face format</source>
   <translation>Hugging Face 格式的 GPT-2</translation>
  </message>
  <message>
   <source>GPT-2 small with query, key and value bias as your model</source>
   <translation>你的模型：GPT-2 small，查询、键、值带偏置</translation>
  </message>
  <message>
   <source>GPT-2 small, shapes only</source>
   <translation>GPT-2 small，仅形状</translation>
  </message>
  <message>
   <source>GPT-2's vocabulary was made from English. In this text its tokens have {n} bytes on average, in English about 4. A better choice is {kind}.</source>
   <translation>GPT-2 的词表是由英文得到的。在这段文本里它的词元平均有 {n} 字节，英文里约为 4 字节。更好的选择是{kind}。</translation>
  </message>
  <message>
   <source>GPT-2's width, two texts of three tokens</source>
   <translation>GPT-2 的宽度，两段文本各三个词元</translation>
  </message>
  <message>
   <source>Generate</source>
   <translation>生成</translation>
  </message>
  <message>
   <source>Generate a text, generate two side by side, or measure how surprised the model is by a text</source>
   <translation>生成一段文本、并排生成两段，或测量模型对一段文本的惊讶度</translation>
  </message>
  <message>
   <source>Generate is busy. Stop it first.</source>
   <translation>“生成”页正在工作。请先停止。</translation>
  </message>
  <message>
   <source>Generate with it</source>
   <translation>用它生成</translation>
  </message>
  <message>
   <source>Generate with the change</source>
   <translation>带改动生成</translation>
  </message>
  <message>
   <source>Generates one more token (S)</source>
   <translation>让模型再生成一个词元（S）</translation>
  </message>
  <message>
   <source>Generates with this checkpoint and with the last one, side by side, with the same prompt and seed</source>
   <translation>用这个检查点和最后一个检查点分别生成，并排显示，提示词和随机种子相同</translation>
  </message>
  <message>
   <source>Generating text</source>
   <translation>正在生成文本</translation>
  </message>
  <message>
   <source>Generating…</source>
   <translation>正在生成…</translation>
  </message>
  <message>
   <source>Given by the model. Type over one to continue by hand.</source>
   <translation>由模型给出。改写其中一个，就转为手工输入。</translation>
  </message>
  <message>
   <source>Gives every target this probability</source>
   <translation>把每个目标的概率设为此值</translation>
  </message>
  <message>
   <source>Gives the position embeddings of the tokens in another order, always the same one: shows what the model uses positions for</source>
   <translation>以另一种固定的顺序给出各词元的位置嵌入，可以看出模型用位置做什么</translation>
  </message>
  <message>
   <source>Glossary</source>
   <translation>术语表</translation>
  </message>
  <message>
   <source>Go back to an earlier step</source>
   <translation>回到较早的一步</translation>
  </message>
  <message>
   <source>Go back to before the jump</source>
   <translation>回到跳升之前</translation>
  </message>
  <message>
   <source>Go back to before the jump (step {n})</source>
   <translation>回到跳升之前（第 {n} 步）</translation>
  </message>
  <message>
   <source>Go back to before the jump, with a lower learning rate</source>
   <translation>回到跳升之前，并降低学习率</translation>
  </message>
  <message>
   <source>Go back to step {n}</source>
   <translation>回到第 {n} 步</translation>
  </message>
  <message>
   <source>Goal</source>
   <translation>目标</translation>
  </message>
  <message>
   <source>Goal: {goal}</source>
   <translation>目标：{goal}</translation>
  </message>
  <message>
   <source>Goals</source>
   <translation>目标</translation>
  </message>
  <message>
   <source>Goals in lessons</source>
   <translation>课程中的目标</translation>
  </message>
  <message>
   <source>Goals reached in lessons</source>
   <translation>课程中达到的目标</translation>
  </message>
  <message>
   <source>Goals reached: {n} of {count}.</source>
   <translation>达到的目标：{n} / {count}。</translation>
  </message>
  <message>
   <source>Gradient</source>
   <translation>梯度</translation>
  </message>
  <message>
   <source>Gradient clip</source>
   <translation>梯度裁剪</translation>
  </message>
  <message>
   <source>Gradient norm</source>
   <translation>梯度范数</translation>
  </message>
  <message>
   <source>Gradient of the first layer relative to the last: {without} without shortcuts, {with_shortcuts} with shortcuts.</source>
   <translation>第一层相对于最后一层的梯度：无快捷连接时 {without}，有快捷连接时 {with_shortcuts}。</translation>
  </message>
  <message>
   <source>Gradient × activation estimates ablation from the slope. Where the model is sure of its word the slope is nearly 0, and the estimate with it.</source>
   <translation>梯度 × 激活值由斜率估计消融。模型对某个词很有把握时，斜率接近 0，估计值也接近 0。</translation>
  </message>
  <message>
   <source>Gradient × activation: a first-order estimate of ablation, from one backward pass.</source>
   <translation>梯度 × 激活：由一次反向传播得到的消融的一阶估计。</translation>
  </message>
  <message>
   <source>Gradients reach all blocks: the largest is {n} times the smallest.</source>
   <translation>梯度到达所有块：最大的是最小的 {n} 倍。</translation>
  </message>
  <message>
   <source>Greater than: a war ends after it began</source>
   <translation>大于关系：战争结束的年份晚于开始的年份</translation>
  </message>
  <message>
   <source>Greedy</source>
   <translation>贪心</translation>
  </message>
  <message>
   <source>Greedy decoding</source>
   <translation>贪心解码</translation>
  </message>
  <message>
   <source>Greedy, n = 4</source>
   <translation>贪心，n = 4</translation>
  </message>
  <message>
   <source>Greedy: {text}</source>
   <translation>贪心：{text}</translation>
  </message>
  <message>
   <source>Group {n} of new tokens</source>
   <translation>第 {n} 组新词元</translation>
  </message>
  <message>
   <source>Grown most since the first evaluation: {layer}, to {n} times its norm.</source>
   <translation>自第一次评估以来增长最多：{layer}，范数达到 {n} 倍。</translation>
  </message>
  <message>
   <source>Grows the beams in the tree, step by step. You can stop and undo it.</source>
   <translation>让各束在分支图中逐步生长。可以停止，也可以撤销。</translation>
  </message>
  <message>
   <source>Guess</source>
   <translation>猜</translation>
  </message>
  <message>
   <source>Guesses</source>
   <translation>猜测</translation>
  </message>
  <message>
   <source>Guesses in lessons</source>
   <translation>课程中的猜测</translation>
  </message>
  <message>
   <source>Hand in</source>
   <translation>提交</translation>
  </message>
  <message>
   <source>Hand in…</source>
   <translation>提交…</translation>
  </message>
  <message>
   <source>Handed in: {name}, in {folder}</source>
   <translation>已提交：{name}，位于 {folder}</translation>
  </message>
  <message>
   <source>Handing in</source>
   <translation>正在提交</translation>
  </message>
  <message>
   <source>Head</source>
   <translation>头</translation>
  </message>
  <message>
   <source>Head 1 of layer 1 off</source>
   <translation>关闭第 1 层的第 1 个头</translation>
  </message>
  <message>
   <source>Head {head} of layer {n}</source>
   <translation>第 {n} 层第 {head} 个头</translation>
  </message>
  <message>
   <source>Head {number}</source>
   <translation>第 {number} 个头</translation>
  </message>
  <message>
   <source>Head {n}</source>
   <translation>头 {n}</translation>
  </message>
  <message>
   <source>Heads</source>
   <translation>注意力头</translation>
  </message>
  <message>
   <source>Heads concatenated</source>
   <translation>拼接各头</translation>
  </message>
  <message>
   <source>Heads in each block of this model: {n}.</source>
   <translation>此模型每个块有 {n} 个头。</translation>
  </message>
  <message>
   <source>Heads with the highest scores; a dot marks those that are named</source>
   <translation>分数最高的头；圆点标出达到阈值的头</translation>
  </message>
  <message>
   <source>Heads: {heads}. Numbers per head: {width}. Numbers in each context vector: {all}.</source>
   <translation>头：{heads} 个，每头 {width} 个数，每个上下文向量有 {all} 个数。</translation>
  </message>
  <message>
   <source>Health</source>
   <translation>健康状况</translation>
  </message>
  <message>
   <source>Health of the layers</source>
   <translation>各层的健康状况</translation>
  </message>
  <message>
   <source>Heat map</source>
   <translation>热图</translation>
  </message>
  <message>
   <source>Heat map of layers and steps</source>
   <translation>各层与各步的热图</translation>
  </message>
  <message>
   <source>Hello</source>
   <translation>你好</translation>
  </message>
  <message>
   <source>Here a window has {n} tokens.</source>
   <translation>这里一个窗口有 {n} 个词元。</translation>
  </message>
  <message>
   <source>Here t are the tokens of the text, counted from 0, and k counts the windows. The context T is the length of a window; the stride S is how far the window moves each time. With a stride smaller than the context, windows overlap; with a larger one, tokens are skipped.</source>
   <translation>这里 t 是文本的词元，从 0 数起；k 是窗口的序号。上下文长度 T 是窗口的长度，步幅 S 是窗口每次移动多远。步幅小于上下文长度时，窗口重叠；大于时，会跳过词元。</translation>
  </message>
  <message>
   <source>Here the next word depends on the last one alone, by a table that you can edit. So every text can be counted, and the best of all is known.</source>
   <translation>这里的下一个词只取决于上一个词，概率表可以编辑。因此可以数遍所有文本，最好的那段是已知的。</translation>
  </message>
  <message>
   <source>Here you can watch a prompt learn: how probable each next token is, from random weights to the trained model. The run that is shown has no probe prompts. Enter some under More settings, Evaluation, and start a run.</source>
   <translation>在这里可以观察一个提示词的学习过程：从随机权重到训练好的模型，每个后续词元的概率如何变化。当前显示的训练没有探针提示。请在“更多设置”的“评估”中输入几个，然后开始训练。</translation>
  </message>
  <message>
   <source>Hide code</source>
   <translation>收起代码</translation>
  </message>
  <message>
   <source>Hide copied stretches</source>
   <translation>隐藏照抄片段的下划线</translation>
  </message>
  <message>
   <source>Hide the top</source>
   <translation>隐藏顶部</translation>
  </message>
  <message>
   <source>Highest learning rate of every model, with one for all.</source>
   <translation>“全部相同”时每个模型的最高学习率。</translation>
  </message>
  <message>
   <source>Highest scores</source>
   <translation>最高分数</translation>
  </message>
  <message>
   <source>Hold out the end of the text</source>
   <translation>留出文本末尾</translation>
  </message>
  <message>
   <source>Hold out the last texts</source>
   <translation>留出最后几篇文本</translation>
  </message>
  <message>
   <source>Hollow: probability before {stages} removed it.</source>
   <translation>空心：被{stages}去除之前的概率。</translation>
  </message>
  <message>
   <source>Horizontal axis of the curves</source>
   <translation>曲线的横轴</translation>
  </message>
  <message>
   <source>How a step follows from the gradients. adamw: as in the book; sgd: gradient descent with momentum, half the state; muon: Muon for the matrices inside the blocks, AdamW for all else. Each needs a learning rate of its own.</source>
   <translation>怎样由梯度得出每一步。adamw：与书中一致；sgd：带动量的梯度下降，状态减半；muon：块内的矩阵用 Muon，其余用 AdamW。每种优化器需要各自的学习率。</translation>
  </message>
  <message>
   <source>How bytes stand for characters, recognised from the file</source>
   <translation>字节如何表示字符，根据文件识别</translation>
  </message>
  <message>
   <source>How far a step moves the weights of a layer, as a share of their norm. By Karpathy's rule of thumb (CS231n notes, 2015), about 1 in 1,000 is healthy: the shaded band.</source>
   <translation>一步把某层的权重移动多远，以占权重范数的比例表示。按 Karpathy 的经验法则（CS231n 笔记，2015），约千分之一为健康：即阴影带。</translation>
  </message>
  <message>
   <source>How far apart the two sampling distributions are, after all stages: 0 bits if they are identical, 1 bit if no token is possible on both sides</source>
   <translation>经过所有采样阶段之后，两个采样分布相距多远：完全相同为 0 比特，没有任何共同可能的词元为 1 比特</translation>
  </message>
  <message>
   <source>How far each step moves the weights</source>
   <translation>每一步把权重移动多远</translation>
  </message>
  <message>
   <source>How far one step moves the weights; with a schedule, the highest value.</source>
   <translation>一步把权重移动多远；有调度时指最高点。</translation>
  </message>
  <message>
   <source>How far the logits spread over the vocabulary (standard deviation), and the largest absolute value.</source>
   <translation>logit 在词表上的分散程度（标准差），以及最大的绝对值。</translation>
  </message>
  <message>
   <source>How far the window moves each time, or leave empty for the context length (no overlap).</source>
   <translation>窗口每次移动多远。留空：等于上下文长度，互不重叠。</translation>
  </message>
  <message>
   <source>How many different tokens occur</source>
   <translation>出现了多少种不同的词元</translation>
  </message>
  <message>
   <source>How many different tokens there are: one row of the token embedding each.</source>
   <translation>一共有多少种词元：每种占词元嵌入的一行。</translation>
  </message>
  <message>
   <source>How many epochs or steps are added</source>
   <translation>增加多少轮或多少步</translation>
  </message>
  <message>
   <source>How many merges have been applied; a number larger than the total means all.</source>
   <translation>已经合并多少次；大于总数即为全部。</translation>
  </message>
  <message>
   <source>How many merges have been learned; a number larger than the total means all.</source>
   <translation>已学到多少次合并；大于总数的数表示全部。</translation>
  </message>
  <message>
   <source>How many more</source>
   <translation>增加多少</translation>
  </message>
  <message>
   <source>How many of the last tokens the model reads, or leave empty for as many as it can.</source>
   <translation>模型读取末尾多少个词元；留空则能读多少读多少。</translation>
  </message>
  <message>
   <source>How many random seeds are used, counting up from the first. With more than one, bands are shown.</source>
   <translation>使用多少个随机种子，从第一个数起。多于一个时显示为带状。</translation>
  </message>
  <message>
   <source>How many texts are kept at each step. 1 is greedy decoding.</source>
   <translation>每一步保留多少段文本。1 即贪心解码。</translation>
  </message>
  <message>
   <source>How many texts go in at once (batch size).</source>
   <translation>一次送入多少段文本（批次大小）。</translation>
  </message>
  <message>
   <source>How many times as steep the valley is across (y) as along (x).</source>
   <translation>山谷横向（y）的陡度是纵向（x）的多少倍。</translation>
  </message>
  <message>
   <source>How many times each size is trained, with other initial weights and another order of the text.</source>
   <translation>每种规模训练几次，每次初始权重和文本顺序都不同。</translation>
  </message>
  <message>
   <source>How many times the mask is drawn for the average.</source>
   <translation>为求平均，随机抽取掩码多少次。</translation>
  </message>
  <message>
   <source>How many tokens each text has.</source>
   <translation>每段文本有多少个词元。</translation>
  </message>
  <message>
   <source>How many tokens the model reads.</source>
   <translation>模型读取多少个词元。</translation>
  </message>
  <message>
   <source>How many tokens the model sees at once: one row of the position embedding each.</source>
   <translation>模型一次能看到多少个词元：每个占位置嵌入的一行。</translation>
  </message>
  <message>
   <source>How many tokens the model sees at once; the book calls it max_length.</source>
   <translation>模型一次看到多少个词元；书中叫 max_length。</translation>
  </message>
  <message>
   <source>How many tokens the table generates.</source>
   <translation>表生成多少个词元。</translation>
  </message>
  <message>
   <source>How many tokens to generate, one per step.</source>
   <translation>生成多少个词元，每步一个。</translation>
  </message>
  <message>
   <source>How many transformer blocks are stacked.</source>
   <translation>堆叠多少个 Transformer 块。</translation>
  </message>
  <message>
   <source>How many windows go through the model together.</source>
   <translation>一起送入模型的窗口数。</translation>
  </message>
  <message>
   <source>How many words are drawn, independently of each other.</source>
   <translation>抽取多少个词，各次相互独立。</translation>
  </message>
  <message>
   <source>How memory and the sizes of files are counted in the whole program</source>
   <translation>整个程序中内存和文件大小的计算方式</translation>
  </message>
  <message>
   <source>How much better does a larger model get? Each of four sizes is trained with the same compute, counted in floating-point operations: the larger a model, the fewer tokens it reads for it. A power law is fitted to the losses:</source>
   <translation>模型更大，会好多少？四种规模各用相同的计算量（按浮点运算次数计）训练：模型越大，用同样的计算量读到的词元越少。再用幂律拟合它们的损失：</translation>
  </message>
  <message>
   <source>How much more surprising the token is with the changes set in What if. No colour where nothing is changed there.</source>
   <translation>按“假如”面板中的改动计算后，该词元的惊讶度增加了多少。若那里没有改动，则不着色。</translation>
  </message>
  <message>
   <source>How much of attention is built: dot products, trainable weights, mask, dropout, heads.</source>
   <translation>注意力搭建到哪一步：点积、可训练的权重、掩码、Dropout、多头。</translation>
  </message>
  <message>
   <source>How much of its previous step SGD keeps. 0: plain gradient descent.</source>
   <translation>SGD 保留上一步的多少。0：普通梯度下降。</translation>
  </message>
  <message>
   <source>How much of the previous direction AdamW keeps from step to step.</source>
   <translation>AdamW 在步与步之间保留多少先前的方向。</translation>
  </message>
  <message>
   <source>How much of the size of past gradients AdamW remembers.</source>
   <translation>AdamW 对以往梯度的大小记住多少。</translation>
  </message>
  <message>
   <source>How much should one word draw from another? Multiply their numbers pair by pair and add up: the dot product, here called the attention score ω, is large where two vectors point the same way. Softmax turns each row of scores into attention weights α that sum to 1: e to the power of each score, divided by the sum of all these powers. A word's context vector z is the sum of all words' vectors, weighted by α.</source>
   <translation>一个词该从另一个词那里吸取多少？把两者的数逐个相乘再相加，得到点积，这里叫注意力分数 ω：方向相近的两个向量，点积就大。softmax 把每行分数变成和为 1 的注意力权重 α：e 的各分数次幂，除以这一行所有幂之和。一个词的上下文向量 z 就是所有词的向量按 α 的加权和。</translation>
  </message>
  <message>
   <source>How much the token under the pointer, or the chosen one, attends to each token: a head, the mean of a layer or rollout, as set in the pane Attention. No colour where it cannot look.</source>
   <translation>指针所指或选中的词元对每个词元的关注程度：一个头、一层的平均或 rollout，在“注意力”面板中设置。它看不到的词元不着色。</translation>
  </message>
  <message>
   <source>How often each word follows another. Each row is divided by its sum.</source>
   <translation>每个词跟在另一个词之后的频率。每一行都除以它的和。</translation>
  </message>
  <message>
   <source>How often the text and the settings are written while you work</source>
   <translation>工作时多久写入一次文本和设置</translation>
  </message>
  <message>
   <source>How often the token occurs in the text now</source>
   <translation>词元现在在文本中出现的次数</translation>
  </message>
  <message>
   <source>How strongly AdamW and Muon pull every weight towards zero, beside the gradient.</source>
   <translation>AdamW 和 Muon 在梯度之外把每个权重拉向零的强度。</translation>
  </message>
  <message>
   <source>How surprising is a text to a model? The surprisal of each token is counted in bits: 0 if the model was certain of it, 1 if it was as likely as heads or tails, and 1 more each time the probability halves. A model trained on similar texts is surprised less.</source>
   <translation>一段文本会让模型多惊讶？每个词元的惊讶度以比特计：模型十分确定时为 0，像抛硬币一样各占一半时为 1，概率每减半再加 1。在类似文本上训练过的模型惊讶度更低。</translation>
  </message>
  <message>
   <source>How text becomes tokens. gpt2: GPT-2's tokenizer, as in the book; own: byte-pair encoding learned from the training text (own:1024: at most 1,024 tokens); characters: every character of the text is a token.</source>
   <translation>文本怎样变成词元。GPT-2：它的分词器，与书中相同；自有：从训练文本学到的字节对编码（own:1024：最多 1,024 个词元）；字符：文本的每个字符是一个词元。</translation>
  </message>
  <message>
   <source>How text is split into tokens, and each token becomes a number.</source>
   <translation>文本怎样切分成词元，每个词元又怎样变成一个数。</translation>
  </message>
  <message>
   <source>How uncertain the model was, whichever token came next: 0 bits if it was certain, 1 bit if two tokens were equally likely. Before any sampling settings.</source>
   <translation>不论来的是哪个词元，模型有多不确定：确定时为 0 比特，两个词元同样可能时为 1 比特。未应用采样参数。</translation>
  </message>
  <message>
   <source>How unexpected the token was to the model: 0 bits if the model was certain of it, 1 bit more each time the probability halves. Before any sampling settings.</source>
   <translation>这个词元对模型来说有多意外：十分确定时为 0 比特，概率每减半再加 1 比特。未应用采样参数。</translation>
  </message>
  <message>
   <source>How well each query matches each key: a square matrix of tokens for each head.</source>
   <translation>每个查询与每个键的匹配程度：每个头一个词元 × 词元的方阵。</translation>
  </message>
  <message>
   <source>How widely the heads of a block look around, mean over the tokens: 0 bits at a single token. The dotted line is the most there can be: evenly at all.</source>
   <translation>一块中各头的注意力有多分散，对词元取平均：只看一个词元时为 0 比特。虚线是可能的最大值：均匀地看所有词元。</translation>
  </message>
  <message>
   <source>Hugging Face folder</source>
   <translation>Hugging Face 文件夹</translation>
  </message>
  <message>
   <source>ID</source>
   <translation>ID</translation>
  </message>
  <message>
   <source>ID {place} is {value}; it must be a whole number from 0 to {most}.</source>
   <translation>第 {place} 个 ID 是 {value}；它必须是 0 到 {most} 的整数。</translation>
  </message>
  <message>
   <source>IDs</source>
   <translation>ID</translation>
  </message>
  <message>
   <source>Import</source>
   <translation>导入</translation>
  </message>
  <message>
   <source>Import a run from a zip</source>
   <translation>从 zip 导入训练</translation>
  </message>
  <message>
   <source>Import a zip…</source>
   <translation>导入 zip…</translation>
  </message>
  <message>
   <source>Imported models</source>
   <translation>导入的模型</translation>
  </message>
  <message>
   <source>Imported models…</source>
   <translation>导入的模型…</translation>
  </message>
  <message>
   <source>Imported {name}.</source>
   <translation>已导入 {name}。</translation>
  </message>
  <message>
   <source>Importing {name}</source>
   <translation>正在导入 {name}</translation>
  </message>
  <message>
   <source>Imports a file or folder</source>
   <translation>导入文件或文件夹</translation>
  </message>
  <message>
   <source>Impossible: 0</source>
   <translation>不可能：0</translation>
  </message>
  <message>
   <source>In a model</source>
   <translation>在模型中</translation>
  </message>
  <message>
   <source>In all: {epochs} epochs, {total} steps, of which {added} are still to come.</source>
   <translation>总计 {epochs} 轮、{total} 步，其中还要训练 {added} 步。</translation>
  </message>
  <message>
   <source>In all: {total} steps, of which {added} are still to come.</source>
   <translation>总计 {total} 步，其中还要训练 {added} 步。</translation>
  </message>
  <message>
   <source>In both lists: {n} of {all}.</source>
   <translation>{all} 个中有 {n} 个同在两个列表里。</translation>
  </message>
  <message>
   <source>In evaluation mode nothing is dropped or scaled: the output equals the input.</source>
   <translation>评估模式下不丢弃也不缩放：输出等于输入。</translation>
  </message>
  <message>
   <source>In progress, finished, stopped, failed or interrupted</source>
   <translation>进行中、已完成、已停止、失败或中断</translation>
  </message>
  <message>
   <source>In the learner's own words</source>
   <translation>学习者自己的话</translation>
  </message>
  <message>
   <source>In this model: from {n} numbers to {wide}, and back.</source>
   <translation>此模型中：从 {n} 个数到 {wide} 个，再回到原来。</translation>
  </message>
  <message>
   <source>In this model: {n} numbers for each token.</source>
   <translation>此模型中，每个词元有 {n} 个数。</translation>
  </message>
  <message>
   <source>In this model: {share} % are dropped.</source>
   <translation>此模型中：丢弃 {share} %。</translation>
  </message>
  <message>
   <source>In this run, as unsure as among {n} equally likely tokens.</source>
   <translation>本次训练中，模型的不确定程度相当于在 {n} 个等概率的词元中猜一个。</translation>
  </message>
  <message>
   <source>In this run, the validation loss is {gap} nats above the training loss.</source>
   <translation>本次训练中，验证损失比训练损失高 {gap} nat。</translation>
  </message>
  <message>
   <source>In this run: {value}.</source>
   <translation>本次训练：{value}。</translation>
  </message>
  <message>
   <source>Index of the block, from 0: block 0 is layer 1.</source>
   <translation>块的编号，从 0 开始：块 0 即第 1 层。</translation>
  </message>
  <message>
   <source>Indirect object: who gets the drink?</source>
   <translation>间接宾语：饮料给了谁？</translation>
  </message>
  <message>
   <source>Induction</source>
   <translation>归纳</translation>
  </message>
  <message>
   <source>Induction heads look for what came after the same token before. Random tokens, repeated once, show which heads do; the prompts are not needed.</source>
   <translation>归纳头寻找同一词元先前出现时其后的内容。把随机词元重复一次，就能看出哪些头这样做；不需要提示词。</translation>
  </message>
  <message>
   <source>Initial LayerNorm shift</source>
   <translation>层归一化平移的初值</translation>
  </message>
  <message>
   <source>Initial weights</source>
   <translation>起始权重</translation>
  </message>
  <message>
   <source>Initial weights (init_from): '{name}' has no trained weights.</source>
   <translation>起始权重 (init_from)：“{name}”没有训练过的权重。</translation>
  </message>
  <message>
   <source>Initial weights (init_from): '{name}' is a preset, which has no trained weights; choose an imported model, a run or a checkpoint, or leave empty.</source>
   <translation>起始权重 (init_from)：“{name}”是一个预设，没有训练过的权重；请选择导入的模型、训练或检查点，或留空。</translation>
  </message>
  <message>
   <source>Initial weights (init_from): the text is empty; name an imported model, a run or a checkpoint, or leave it out.</source>
   <translation>起始权重 (init_from)：文本为空；请指定导入的模型、训练或检查点，或不填。</translation>
  </message>
  <message>
   <source>Initial weights (init_from): the weights of '{name}' do not fit this model: {different}. Give both the same shape; only a shorter context length and different dropout are allowed.</source>
   <translation>起始权重 (init_from)：“{name}”的权重与此模型不匹配：{different}。请让两者形状相同；只允许更短的上下文长度和不同的 Dropout。</translation>
  </message>
  <message>
   <source>Initial weights of a run: new random ones, or those of a trained model.</source>
   <translation>一次训练的起始权重：随机初始化，或来自训练过的模型。</translation>
  </message>
  <message>
   <source>Initialised at random. Training would change it.</source>
   <translation>随机初始化。训练会改变它。</translation>
  </message>
  <message>
   <source>Input</source>
   <translation>输入</translation>
  </message>
  <message>
   <source>Input: the number of values is {count}, but the first of Layer sizes is {size}. The two must match.</source>
   <translation>“输入”有 {count} 个数，而“各层宽度”的第一个是 {size}。两者必须相等。</translation>
  </message>
  <message>
   <source>Inputs</source>
   <translation>输入</translation>
  </message>
  <message>
   <source>Inside</source>
   <translation>内部</translation>
  </message>
  <message>
   <source>Inside a model</source>
   <translation>模型内部</translation>
  </message>
  <message>
   <source>Instead of its output</source>
   <translation>代替其输出</translation>
  </message>
  <message>
   <source>Interrupted</source>
   <translation>中断</translation>
  </message>
  <message>
   <source>Interrupted without a proper end. You can continue from the last checkpoint.</source>
   <translation>没有正常结束就中断了。可以从最后的检查点继续。</translation>
  </message>
  <message>
   <source>Irreducible loss</source>
   <translation>不可约损失</translation>
  </message>
  <message>
   <source>Is trained when its turn comes.</source>
   <translation>轮到它时开始训练。</translation>
  </message>
  <message>
   <source>It can be added only where a layer's input and output have the same width. Below each layer, + x means it is added, – that it is not.</source>
   <translation>只有当一层的输入与输出同样宽时才能相加。每一层下面，+ x 表示相加，– 表示不加。</translation>
  </message>
  <message>
   <source>It cannot be read: {why}.</source>
   <translation>无法读取：{why}。</translation>
  </message>
  <message>
   <source>It contains numbers or texts that no run has.</source>
   <translation>其中含有任何训练都不会有的数字或文本。</translation>
  </message>
  <message>
   <source>It has completed all its steps. Use “Train longer…” for more epochs or steps.</source>
   <translation>它已完成全部步数。要增加轮数或步数，请用“延长训练…”。</translation>
  </message>
  <message>
   <source>It has no checkpoint from which it could continue.</source>
   <translation>它没有可以继续训练的检查点。</translation>
  </message>
  <message>
   <source>It has no checkpoint yet.</source>
   <translation>它还没有检查点。</translation>
  </message>
  <message>
   <source>It has no checkpoint.</source>
   <translation>它没有检查点。</translation>
  </message>
  <message>
   <source>It has no checkpoint: none was saved, or they were deleted or left out when it was packed. Use Run again to train with its settings once more.</source>
   <translation>它没有检查点：没有保存过，或者已被删除，或者打包时没有包含。用“再训练一次”以同样的设置重新开始。</translation>
  </message>
  <message>
   <source>It has nothing to act on.</source>
   <translation>没有可操作的对象。</translation>
  </message>
  <message>
   <source>It is being cancelled.</source>
   <translation>正在取消。</translation>
  </message>
  <message>
   <source>It is cut off: copy or send the report again.</source>
   <translation>文件不完整：请重新复制或发送报告。</translation>
  </message>
  <message>
   <source>It is no report of GPT Studio.</source>
   <translation>这不是 GPT Studio 的报告。</translation>
  </message>
  <message>
   <source>It is running. Stop it first.</source>
   <translation>正在运行。请先停止。</translation>
  </message>
  <message>
   <source>It is the only checkpoint of this run, which could not be continued without it.</source>
   <translation>这是这次训练唯一的检查点，没有它就无法继续训练。</translation>
  </message>
  <message>
   <source>It is the only one: no model of this run is left then. The log and the curves stay.</source>
   <translation>这是唯一的检查点：之后这次训练不再有模型。日志和曲线保留。</translation>
  </message>
  <message>
   <source>It is too large for a report: more than {n} MB.</source>
   <translation>文件太大，不是报告：超过 {n} MB。</translation>
  </message>
  <message>
   <source>It is written to {folder}. Handing in again under the same name replaces your file.</source>
   <translation>写入 {folder}。以同样的名字再次提交会替换你的文件。</translation>
  </message>
  <message>
   <source>It occurred {count} times in a row.</source>
   <translation>它连续出现了 {count} 次。</translation>
  </message>
  <message>
   <source>It outputs {count} logits, one for each token of the vocabulary. The {shown} largest:</source>
   <translation>它输出 {count} 个 logits，词表中每个词元一个。最大的 {shown} 个：</translation>
  </message>
  <message>
   <source>It repeats {share} of its sequences of 4 tokens, the sample {other}.</source>
   <translation>它的四词元序列有 {share} 是重复的，样本为 {other}。</translation>
  </message>
  <message>
   <source>It saves {n} parameters here.</source>
   <translation>在这里可节省 {n} 个参数。</translation>
  </message>
  <message>
   <source>It takes about {size} of memory.</source>
   <translation>约需 {size} 内存。</translation>
  </message>
  <message>
   <source>It was written by a newer version of GPT Studio. Update GPT Studio to read it.</source>
   <translation>由更新版本的 GPT Studio 生成。请更新 GPT Studio 后再读取。</translation>
  </message>
  <message>
   <source>Its mean instead</source>
   <translation>以均值代替</translation>
  </message>
  <message>
   <source>Itself</source>
   <translation>自身</translation>
  </message>
  <message>
   <source>KV cache</source>
   <translation>KV 缓存</translation>
  </message>
  <message>
   <source>Keep</source>
   <translation>保存</translation>
  </message>
  <message>
   <source>Keeps only the input of each block and computes the rest again when its gradients are computed (gradient checkpointing): much less memory, about a third more time, the same results.</source>
   <translation>只保留每个块的输入，其余在计算梯度时重新计算（梯度检查点）：内存少得多，用时约多三分之一，结果相同。</translation>
  </message>
  <message>
   <source>Keeps these changes with the text under this name</source>
   <translation>以此名称将这些改动随文本保存</translation>
  </message>
  <message>
   <source>Kept by the beam search; sum of log-probabilities {sum} nats</source>
   <translation>被束搜索保留；对数概率之和 {sum} nat</translation>
  </message>
  <message>
   <source>Kept changes</source>
   <translation>已存改动</translation>
  </message>
  <message>
   <source>Key figures</source>
   <translation>主要数据</translation>
  </message>
  <message>
   <source>Keyboard shortcuts</source>
   <translation>键盘快捷键</translation>
  </message>
  <message>
   <source>Keyboard shortcuts…</source>
   <translation>键盘快捷键…</translation>
  </message>
  <message>
   <source>Keys</source>
   <translation>键</translation>
  </message>
  <message>
   <source>Keys and values are computed in the same way, each with its own matrix.</source>
   <translation>键和值的计算方法相同，各用自己的矩阵。</translation>
  </message>
  <message>
   <source>Keys, split into heads</source>
   <translation>键，拆分到各头</translation>
  </message>
  <message>
   <source>Kind</source>
   <translation>类型</translation>
  </message>
  <message>
   <source>L is minus the mean of the logarithms of the probabilities p</source>
   <translation>L 等于各概率 p 的对数的平均值取负</translation>
  </message>
  <message>
   <source>L2 penalty</source>
   <translation>L2 惩罚</translation>
  </message>
  <message>
   <source>Language</source>
   <translation>语言</translation>
  </message>
  <message>
   <source>Language of the window from the next start on; texts and runs stay as they are.</source>
   <translation>窗口的语言，从下次启动起生效；文本和训练保持不变。</translation>
  </message>
  <message>
   <source>Language, theme, text size, units, folders, threads</source>
   <translation>语言、主题、字号、单位、文件夹、线程</translation>
  </message>
  <message>
   <source>Larger cells (or Ctrl + mouse wheel)</source>
   <translation>放大格子（或按住 Ctrl 滚动滚轮）</translation>
  </message>
  <message>
   <source>Larger text</source>
   <translation>放大文字</translation>
  </message>
  <message>
   <source>Largest change of a weight</source>
   <translation>权重的最大变化</translation>
  </message>
  <message>
   <source>Largest gradient norm allowed; larger gradients are scaled down. 0: no clipping.</source>
   <translation>允许的最大梯度范数；更大的梯度会按比例缩小。0：不裁剪。</translation>
  </message>
  <message>
   <source>Last feed-forward network off</source>
   <translation>关闭最后的前馈网络</translation>
  </message>
  <message>
   <source>Last sample</source>
   <translation>最后一个样本</translation>
  </message>
  <message>
   <source>Last sample, step {n}:</source>
   <translation>最后一个样本，第 {n} 步：</translation>
  </message>
  <message>
   <source>Last training loss</source>
   <translation>最后的训练损失</translation>
  </message>
  <message>
   <source>Last validation loss</source>
   <translation>最后的验证损失</translation>
  </message>
  <message>
   <source>Layer</source>
   <translation>层</translation>
  </message>
  <message>
   <source>Layer normalisation</source>
   <translation>层归一化</translation>
  </message>
  <message>
   <source>Layer norms</source>
   <translation>层归一化</translation>
  </message>
  <message>
   <source>Layer sizes</source>
   <translation>各层宽度</translation>
  </message>
  <message>
   <source>Layer sizes gives {count} layers; the number of layers must be between 1 and {most}.</source>
   <translation>“各层宽度”给出 {count} 层；层数必须在 1 到 {most} 之间。</translation>
  </message>
  <message>
   <source>Layer {layer} does not exist; the last layer of this model is {layers}. Choose another layer.</source>
   <translation>没有第 {layer} 层；这个模型的最后一层是第 {layers} 层。请选择其他层。</translation>
  </message>
  <message>
   <source>Layer {layer} of {layers}: {count} numbers ({read} tokens × {width})</source>
   <translation>第 {layer} 层（共 {layers} 层）：{count} 个数（{read} 个词元 × {width}）</translation>
  </message>
  <message>
   <source>Layer {layer}, {inputs} → {outputs}, {which}: ({added}) / {count} = {mean}, the mean absolute gradient of its weights.</source>
   <translation>第 {layer} 层，{inputs} → {outputs}，{which}：({added}) / {count} = {mean}，即其权重的梯度绝对值的平均值。</translation>
  </message>
  <message>
   <source>Layer {layer}, {which}, random seeds: {count}. Median {middle}; 10th percentile {low}; 90th percentile {high}.</source>
   <translation>第 {layer} 层，{which}，{count} 个随机种子：中位数 {middle}，第 10 百分位 {low}，第 90 百分位 {high}。</translation>
  </message>
  <message>
   <source>Layer {n}</source>
   <translation>第 {n} 层</translation>
  </message>
  <message>
   <source>Layer {n} (blocks.{index})</source>
   <translation>第 {n} 层（blocks.{index}）</translation>
  </message>
  <message>
   <source>Layer {n} of {all}</source>
   <translation>第 {n} 层，共 {all} 层</translation>
  </message>
  <message>
   <source>Layer {n}, MLP ({name})</source>
   <translation>第 {n} 层，MLP（{name}）</translation>
  </message>
  <message>
   <source>Layer {n}, head {head} ({name})</source>
   <translation>第 {n} 层，第 {head} 个头（{name}）</translation>
  </message>
  <message>
   <source>LayerNorm</source>
   <translation>层归一化</translation>
  </message>
  <message>
   <source>Layers</source>
   <translation>层</translation>
  </message>
  <message>
   <source>Layers: what the model would predict after each layer, so that you can see the answer form.</source>
   <translation>层：模型在每一层之后会预测什么，由此看到答案如何形成。</translation>
  </message>
  <message>
   <source>Learn</source>
   <translation>学习</translation>
  </message>
  <message>
   <source>Learning rate</source>
   <translation>学习率</translation>
  </message>
  <message>
   <source>Learning rate of AdamW.</source>
   <translation>AdamW 的学习率。</translation>
  </message>
  <message>
   <source>Learning rate of Muon.</source>
   <translation>Muon 的学习率。</translation>
  </message>
  <message>
   <source>Learning rate of SGD.</source>
   <translation>SGD 的学习率。</translation>
  </message>
  <message>
   <source>Learning rate over the run</source>
   <translation>整个训练的学习率</translation>
  </message>
  <message>
   <source>Learning rate rule</source>
   <translation>学习率规则</translation>
  </message>
  <message>
   <source>Learning rates are tested while nothing trains. Stop the run first.</source>
   <translation>只能在没有训练时测试学习率。请先停止训练。</translation>
  </message>
  <message>
   <source>Leave empty for one text only</source>
   <translation>留空则只有一个文本</translation>
  </message>
  <message>
   <source>Leave projector mode</source>
   <translation>退出投影模式</translation>
  </message>
  <message>
   <source>Left</source>
   <translation>左</translation>
  </message>
  <message>
   <source>Left branch</source>
   <translation>左侧分支</translation>
  </message>
  <message>
   <source>Left out of the folder {folder}: {files}.</source>
   <translation>文件夹 {folder} 中有文件未使用：{files}。</translation>
  </message>
  <message>
   <source>Left out, since a language model does not need them: {names}.</source>
   <translation>已略去语言模型不需要的张量：{names}。</translation>
  </message>
  <message>
   <source>Left-hand model</source>
   <translation>左侧模型</translation>
  </message>
  <message>
   <source>Length of a row in both matrices.</source>
   <translation>两个矩阵每行的长度。</translation>
  </message>
  <message>
   <source>Length penalty</source>
   <translation>长度惩罚</translation>
  </message>
  <message>
   <source>Less</source>
   <translation>收起</translation>
  </message>
  <message>
   <source>Lesson</source>
   <translation>课程</translation>
  </message>
  <message>
   <source>Lesson (*.toml)</source>
   <translation>课程 (*.toml)</translation>
  </message>
  <message>
   <source>Lesson or experiment</source>
   <translation>课程或实验</translation>
  </message>
  <message>
   <source>Lessons</source>
   <translation>课程</translation>
  </message>
  <message>
   <source>Lessons (*.toml *.gptlesson)</source>
   <translation>课程 (*.toml *.gptlesson)</translation>
  </message>
  <message>
   <source>Lessons and experiments</source>
   <translation>课程与实验</translation>
  </message>
  <message>
   <source>Libraries and their licences</source>
   <translation>所用的库及其许可证</translation>
  </message>
  <message>
   <source>Library</source>
   <translation>库</translation>
  </message>
  <message>
   <source>Licence</source>
   <translation>许可证</translation>
  </message>
  <message>
   <source>Light</source>
   <translation>浅色</translation>
  </message>
  <message>
   <source>Light or dark, or as the system is set</source>
   <translation>浅色、深色，或跟随系统设置</translation>
  </message>
  <message>
   <source>Line endings</source>
   <translation>换行符</translation>
  </message>
  <message>
   <source>Linear</source>
   <translation>线性层</translation>
  </message>
  <message>
   <source>Linear range</source>
   <translation>线性范围</translation>
  </message>
  <message>
   <source>Linear, 4 × the width</source>
   <translation>线性层，4 倍宽度</translation>
  </message>
  <message>
   <source>Linear, back to the width</source>
   <translation>线性层，恢复原宽度</translation>
  </message>
  <message>
   <source>Linear: as in nn.Linear, random numbers around 0. rand: as in torch.rand, random numbers from 0 to 1.</source>
   <translation>线性层：同 nn.Linear，0 附近的随机数。rand：同 torch.rand，0 到 1 的随机数。</translation>
  </message>
  <message>
   <source>List</source>
   <translation>列表</translation>
  </message>
  <message>
   <source>Lists runs from another folder, from a zip, or of a class</source>
   <translation>列出其他文件夹、zip 文件中或全班的训练</translation>
  </message>
  <message>
   <source>Lists the keys of all commands</source>
   <translation>列出所有命令的按键</translation>
  </message>
  <message>
   <source>Live</source>
   <translation>进行中</translation>
  </message>
  <message>
   <source>Loading</source>
   <translation>正在载入</translation>
  </message>
  <message>
   <source>Loading the models…</source>
   <translation>正在载入模型…</translation>
  </message>
  <message>
   <source>Loading the model…</source>
   <translation>正在载入模型…</translation>
  </message>
  <message>
   <source>Loads the input of an example</source>
   <translation>载入一个示例的输入</translation>
  </message>
  <message>
   <source>Loads the input of an example, whose results the book prints</source>
   <translation>载入一个示例的输入，其结果印在书中</translation>
  </message>
  <message>
   <source>Locked by the lesson</source>
   <translation>课程锁定了此项</translation>
  </message>
  <message>
   <source>Locked by your instructor</source>
   <translation>已被教师锁定</translation>
  </message>
  <message>
   <source>Log</source>
   <translation>日志</translation>
  </message>
  <message>
   <source>Log of the program</source>
   <translation>程序日志</translation>
  </message>
  <message>
   <source>Log scale</source>
   <translation>对数刻度</translation>
  </message>
  <message>
   <source>Log-probability (nats)</source>
   <translation>对数概率（nat）</translation>
  </message>
  <message>
   <source>Logarithmic</source>
   <translation>对数</translation>
  </message>
  <message>
   <source>Logarithmic range</source>
   <translation>对数范围</translation>
  </message>
  <message>
   <source>Logarithmic scale for the loss and the other values</source>
   <translation>损失等数值采用对数刻度</translation>
  </message>
  <message>
   <source>Logit</source>
   <translation>Logit</translation>
  </message>
  <message>
   <source>Logit lens: what the model would predict if it stopped after this layer (final norm and output layer applied directly). Bold: the actual next token.</source>
   <translation>logit lens（逐层解码）：假如在这一层之后停下（直接接上最后的归一化和输出层），模型会预测什么。粗体：实际的下一个词元。</translation>
  </message>
  <message>
   <source>Logit lens: “{token}” {share}</source>
   <translation>logit lens：“{token}” {share}</translation>
  </message>
  <message>
   <source>Logits</source>
   <translation>Logits</translation>
  </message>
  <message>
   <source>Logits (model)</source>
   <translation>logits（模型）</translation>
  </message>
  <message>
   <source>Logits (placeholder)</source>
   <translation>logits（占位模型）</translation>
  </message>
  <message>
   <source>Logits: the model's own prediction after “{token}”</source>
   <translation>Logits：模型自己在“{token}”之后的预测</translation>
  </message>
  <message>
   <source>Logits: the number of values is {count}; it must be {all}, one for each word.</source>
   <translation>“Logits”有 {count} 个数；必须有 {all} 个，每个词一个。</translation>
  </message>
  <message>
   <source>Longest copied stretches</source>
   <translation>最长的照抄片段</translation>
  </message>
  <message>
   <source>Longest stretch: {n} tokens</source>
   <translation>最长片段：{n} 个词元</translation>
  </message>
  <message>
   <source>Look for model.safetensors in the place you got it from, or save it from the program that created it. {opened}</source>
   <translation>请在文件的来源处寻找 model.safetensors，或在创建它的程序中另存一份。{opened}</translation>
  </message>
  <message>
   <source>Looking for the passage</source>
   <translation>正在查找原文</translation>
  </message>
  <message>
   <source>Looking for the passage…</source>
   <translation>正在查找原文…</translation>
  </message>
  <message>
   <source>Looking up a row is the same as multiplying by a one-hot vector h, which is 1 at the ID and 0 elsewhere.</source>
   <translation>查一行等同于一次乘法：用独热向量 h 去乘，它在该 ID 处为 1，其余为 0。</translation>
  </message>
  <message>
   <source>Loss</source>
   <translation>损失</translation>
  </message>
  <message>
   <source>Loss (bits per byte)</source>
   <translation>损失（每字节比特）</translation>
  </message>
  <message>
   <source>Loss (nats per token)</source>
   <translation>损失（nat/词元）</translation>
  </message>
  <message>
   <source>Loss after</source>
   <translation>之后的损失</translation>
  </message>
  <message>
   <source>Loss and perplexity on one scale</source>
   <translation>同一标尺上的损失与困惑度</translation>
  </message>
  <message>
   <source>Loss axis</source>
   <translation>损失轴</translation>
  </message>
  <message>
   <source>Loss before</source>
   <translation>之前的损失</translation>
  </message>
  <message>
   <source>Loss by learning rate</source>
   <translation>各学习率的损失</translation>
  </message>
  <message>
   <source>Loss by step (logarithm to base 10)</source>
   <translation>各步的损失（以 10 为底的对数）</translation>
  </message>
  <message>
   <source>Loss during training</source>
   <translation>训练过程中的损失</translation>
  </message>
  <message>
   <source>Loss that no model could go below. Four points cannot determine it, so it is set, not fitted: 0 as in Kaplan et al., 1.69 as in Hoffmann et al.</source>
   <translation>任何模型都无法低于的损失。四个点定不出它，所以由你设定而不是拟合：Kaplan 等为 0，Hoffmann 等为 1.69。</translation>
  </message>
  <message>
   <source>Losses above {n} are drawn at the upper edge.</source>
   <translation>高于 {n} 的损失画在上边缘。</translation>
  </message>
  <message>
   <source>Losses are in nats per token: how surprised the model is by the right next token. The lowest validation loss, {loss}, was measured after step {n}; random guessing would be {random}.</source>
   <translation>损失的单位是 nat/词元：模型对正确的下一个词元有多惊讶。最低验证损失 {loss} 出现在第 {n} 步之后；随机猜测为 {random}。</translation>
  </message>
  <message>
   <source>Lowest</source>
   <translation>最低</translation>
  </message>
  <message>
   <source>Lowest rate</source>
   <translation>最低学习率</translation>
  </message>
  <message>
   <source>Lowest rate ({lowest}) must not exceed the learning rate ({rate}).</source>
   <translation>最低学习率（{lowest}）不能大于学习率（{rate}）。</translation>
  </message>
  <message>
   <source>Lowest validation loss of all evaluations, in nats per token; lower is better</source>
   <translation>所有评估中最低的验证损失，单位为每词元的 nat；越低越好</translation>
  </message>
  <message>
   <source>Lowest validation loss, in nats per token, at step {n}</source>
   <translation>最低验证损失（nat/词元），在第 {n} 步</translation>
  </message>
  <message>
   <source>Lowest validation loss: {loss}</source>
   <translation>最低验证损失：{loss}</translation>
  </message>
  <message>
   <source>Lowest validation loss: {loss}, after step {n}</source>
   <translation>最低验证损失：{loss}（第 {n} 步之后）</translation>
  </message>
  <message>
   <source>MB</source>
   <translation>MB</translation>
  </message>
  <message>
   <source>MB (1,000,000 bytes)</source>
   <translation>MB（1,000,000 字节）</translation>
  </message>
  <message>
   <source>MB, as in the book (1,048,576 bytes)</source>
   <translation>MB，与书中一致（1,048,576 字节）</translation>
  </message>
  <message>
   <source>MLP</source>
   <translation>前馈（MLP）</translation>
  </message>
  <message>
   <source>MLP output of layer {n}</source>
   <translation>第 {n} 层的 MLP 输出</translation>
  </message>
  <message>
   <source>Main button of the page</source>
   <translation>本页的主按钮</translation>
  </message>
  <message>
   <source>Make your model wider, then deeper: the blocks grow with the square of the width, the embeddings only with the width itself. In a small model most parameters are embeddings; in a large one they hardly count.</source>
   <translation>先把自己的模型变宽，再变深：块随宽度的平方增长，嵌入只随宽度本身增长。小模型的参数大多是嵌入，大模型里嵌入所占无几。</translation>
  </message>
  <message>
   <source>Makes a lesson from what you do in the window, with your texts and questions</source>
   <translation>用你在窗口中所做的、你的文字和问题制作一个课程</translation>
  </message>
  <message>
   <source>Manual</source>
   <translation>手册</translation>
  </message>
  <message>
   <source>Marks on the bars show how often each token was drawn. If you change a sampling setting, the draws are repeated with the same seed; press again to use the next seed.</source>
   <translation>条形上的标记显示每个词元抽中的频率。改动采样参数会用同一种子重新抽取；再按一次则用下一个种子。</translation>
  </message>
  <message>
   <source>Mask</source>
   <translation>掩码</translation>
  </message>
  <message>
   <source>Mask after softmax</source>
   <translation>先 softmax，后掩码</translation>
  </message>
  <message>
   <source>Mask before softmax</source>
   <translation>先掩码，后 softmax</translation>
  </message>
  <message>
   <source>Masked</source>
   <translation>加掩码</translation>
  </message>
  <message>
   <source>Masks later words before the softmax, after it, or not at all.</source>
   <translation>在 softmax 之前或之后掩去后面的词，或不加掩码。</translation>
  </message>
  <message>
   <source>Matches the book</source>
   <translation>与书中一致</translation>
  </message>
  <message>
   <source>Matrix</source>
   <translation>矩阵</translation>
  </message>
  <message>
   <source>Matrix rate ratio</source>
   <translation>矩阵学习率倍数</translation>
  </message>
  <message>
   <source>Mean</source>
   <translation>均值</translation>
  </message>
  <message>
   <source>Mean absolute gradient of each layer's weights</source>
   <translation>每层权重的梯度绝对值的平均值</translation>
  </message>
  <message>
   <source>Mean absolute gradient of each layer's weights (logarithmic scale)</source>
   <translation>每层权重的梯度绝对值的平均值（对数刻度）</translation>
  </message>
  <message>
   <source>Mean and standard deviation over seeds</source>
   <translation>各种子的均值和标准差</translation>
  </message>
  <message>
   <source>Mean and standard deviation over the random seeds</source>
   <translation>各随机种子的均值和标准差</translation>
  </message>
  <message>
   <source>Mean attention to the token after the first occurrence of the same token, to the token before, or to the same token before.</source>
   <translation>平均注意力：对同一词元首次出现之后的那个词元、对前一个词元，或对先前的同一词元。</translation>
  </message>
  <message>
   <source>Mean of the best validation losses for each pair of values</source>
   <translation>每对取值的最佳验证损失的均值</translation>
  </message>
  <message>
   <source>Mean of the layer</source>
   <translation>该层平均</translation>
  </message>
  <message>
   <source>Mean of the matrix, averaged over the draws so far</source>
   <translation>矩阵的平均值（对至今各次抽取取平均）</translation>
  </message>
  <message>
   <source>Mean surprisal of the model's own tokens, before any sampling setting changes their probabilities</source>
   <translation>模型对自己生成的词元的平均惊讶度，按采样参数改变概率之前计算</translation>
  </message>
  <message>
   <source>Mean surprisal per token. Random guessing among all {n} tokens gives {bits} bits.</source>
   <translation>每个词元的平均惊讶度。在全部 {n} 个词元中随机猜测，则为 {bits} 比特。</translation>
  </message>
  <message>
   <source>Memorisation</source>
   <translation>记忆</translation>
  </message>
  <message>
   <source>Memory</source>
   <translation>内存</translation>
  </message>
  <message>
   <source>Memory (MB)</source>
   <translation>内存（MB）</translation>
  </message>
  <message>
   <source>Memory on {device}: {free} free. Training figures assume batch size {batch} and context length {context}.</source>
   <translation>{device} 上的内存：可用 {free}。训练按批次大小 {batch}、上下文长度 {context} 计算。</translation>
  </message>
  <message>
   <source>Memory to generate</source>
   <translation>生成所需内存</translation>
  </message>
  <message>
   <source>Memory to train</source>
   <translation>训练所需内存</translation>
  </message>
  <message>
   <source>Memory: {memory}.</source>
   <translation>内存：{memory}。</translation>
  </message>
  <message>
   <source>Memory: {memory}.
Time: {time}.</source>
   <translation>内存：{memory}。
时间：{time}。</translation>
  </message>
  <message>
   <source>Merge {n} of {all}: “{left}” + “{right}” → “{token}”, {count} times in the text</source>
   <translation>第 {n} 次合并（共 {all} 次）：“{left}”+“{right}”→“{token}”，文本中 {count} 次</translation>
  </message>
  <message>
   <source>Merges applied</source>
   <translation>已完成的合并</translation>
  </message>
  <message>
   <source>Merges learned</source>
   <translation>已学到的合并</translation>
  </message>
  <message>
   <source>Merges of the word</source>
   <translation>这个词的合并过程</translation>
  </message>
  <message>
   <source>MiB (1,048,576 bytes)</source>
   <translation>MiB（1,048,576 字节）</translation>
  </message>
  <message>
   <source>Min-p</source>
   <translation>Min-p</translation>
  </message>
  <message>
   <source>Minutes</source>
   <translation>分钟</translation>
  </message>
  <message>
   <source>Misplaced bracket</source>
   <translation>括号放错</translation>
  </message>
  <message>
   <source>Model</source>
   <translation>模型</translation>
  </message>
  <message>
   <source>Model in training, current state</source>
   <translation>正在训练的模型，当前状态</translation>
  </message>
  <message>
   <source>Model panel</source>
   <translation>模型面板</translation>
  </message>
  <message>
   <source>Model panel, page, lesson</source>
   <translation>模型面板、页面、课程</translation>
  </message>
  <message>
   <source>Model panel: {model}</source>
   <translation>模型面板：{model}</translation>
  </message>
  <message>
   <source>Model sizes in numbers</source>
   <translation>各种规模的数据</translation>
  </message>
  <message>
   <source>Model's logits, LayerNorm shift starting at one</source>
   <translation>模型的 logits，层归一化的平移从一开始</translation>
  </message>
  <message>
   <source>Model's logits, with query, key and value bias</source>
   <translation>模型的 logits，查询、键、值带偏置</translation>
  </message>
  <message>
   <source>Model: {name}</source>
   <translation>模型：{name}</translation>
  </message>
  <message>
   <source>Models to download</source>
   <translation>可下载的模型</translation>
  </message>
  <message>
   <source>Momentum</source>
   <translation>动量</translation>
  </message>
  <message>
   <source>Month, day and time at which training began</source>
   <translation>训练开始的月、日和时间</translation>
  </message>
  <message>
   <source>More</source>
   <translation>更多</translation>
  </message>
  <message>
   <source>More figures</source>
   <translation>更多数值</translation>
  </message>
  <message>
   <source>More settings</source>
   <translation>更多设置</translation>
  </message>
  <message>
   <source>Most likely: “{token}” {share}</source>
   <translation>最可能：“{token}” {share}</translation>
  </message>
  <message>
   <source>Most memory that training needed, as in the estimate. On a CPU, memory for what else the program did meanwhile is included.</source>
   <translation>训练所需的最大内存，与估计对应。在 CPU 上，也包括程序同时做其他事情所用的内存。</translation>
  </message>
  <message>
   <source>Most probable next tokens</source>
   <translation>概率最高的后续词元</translation>
  </message>
  <message>
   <source>Most surprising</source>
   <translation>最令人惊讶</translation>
  </message>
  <message>
   <source>Move and restart</source>
   <translation>移走并重新启动</translation>
  </message>
  <message>
   <source>Move checkpoint to trash</source>
   <translation>将检查点移到回收站</translation>
  </message>
  <message>
   <source>Move model to trash</source>
   <translation>将模型移到回收站</translation>
  </message>
  <message>
   <source>Move run to trash</source>
   <translation>将训练移到回收站</translation>
  </message>
  <message>
   <source>Move the checkpoint after step {n} to the trash?</source>
   <translation>把第 {n} 步之后的检查点移到回收站？</translation>
  </message>
  <message>
   <source>Move to trash</source>
   <translation>移到回收站</translation>
  </message>
  <message>
   <source>Move to trash…</source>
   <translation>移到回收站…</translation>
  </message>
  <message>
   <source>Move “{name}” to the trash?</source>
   <translation>要把“{name}”移到回收站吗？</translation>
  </message>
  <message>
   <source>Move “{run}” to the trash?</source>
   <translation>要把“{run}”移到回收站吗？</translation>
  </message>
  <message>
   <source>Moved the checkpoint after step {n} to the trash.</source>
   <translation>已将第 {n} 步之后的检查点移到回收站。</translation>
  </message>
  <message>
   <source>Moved the run “{run}” to the trash.</source>
   <translation>训练“{run}”已移到回收站。</translation>
  </message>
  <message>
   <source>Moves on token by token; at the end, the model generates more (P).</source>
   <translation>逐个词元前进；到末尾时模型继续生成（P）。</translation>
  </message>
  <message>
   <source>Moves runs, session and progress in lessons away, as the settings of this computer say, and starts again</source>
   <translation>按这台电脑的设置移走训练、会话和课程进度，并重新开始</translation>
  </message>
  <message>
   <source>Moves the run's folder to the trash</source>
   <translation>把这次训练的文件夹移到回收站</translation>
  </message>
  <message>
   <source>Moves the step down</source>
   <translation>下移这一步</translation>
  </message>
  <message>
   <source>Moves the step up</source>
   <translation>上移这一步</translation>
  </message>
  <message>
   <source>Moves this checkpoint to the trash; the run keeps its log and its other checkpoints</source>
   <translation>把这个检查点移到回收站；训练的日志和其他检查点保留</translation>
  </message>
  <message>
   <source>Muon makes all singular values of the momentum of a matrix equal, so every direction moves as far; five Newton–Schulz iterations come close to it. Here x and y are the diagonal of a 2 × 2 matrix. Its steps do not shrink near the minimum: the learning rate has to.</source>
   <translation>Muon 使矩阵动量的所有奇异值相等，每个方向移动得一样远；五次牛顿–舒尔茨迭代就能接近这一结果。这里 x 和 y 是 2 × 2 矩阵的对角线。它的步在最小值附近不会变小：需要降低学习率。</translation>
  </message>
  <message>
   <source>Muon momentum</source>
   <translation>Muon 动量</translation>
  </message>
  <message>
   <source>Muon rate</source>
   <translation>Muon 学习率</translation>
  </message>
  <message>
   <source>Must have as many numbers as the first of the layer sizes.</source>
   <translation>数的个数必须等于各层宽度的第一个。</translation>
  </message>
  <message>
   <source>Name</source>
   <translation>名称</translation>
  </message>
  <message>
   <source>Name of the learner, title of the run, or name of the file</source>
   <translation>学习者的名字、训练的标题或文件名</translation>
  </message>
  <message>
   <source>Name of the sweep in the list, and of its folder</source>
   <translation>参数扫描在列表中的名称，也是其文件夹的名称</translation>
  </message>
  <message>
   <source>Name of these changes</source>
   <translation>这些改动的名称</translation>
  </message>
  <message>
   <source>Name, loss, steps and right guesses, to photograph</source>
   <translation>名字、损失、步数和猜对的题数，供拍照</translation>
  </message>
  <message>
   <source>Nearest after training</source>
   <translation>训练后最近</translation>
  </message>
  <message>
   <source>Nearest before training</source>
   <translation>训练前最近</translation>
  </message>
  <message>
   <source>Nearest neighbours of “{token}”, ID {id}</source>
   <translation>“{token}”的最近邻，ID {id}</translation>
  </message>
  <message>
   <source>Needed: {needed}; free at {path}: {free}.</source>
   <translation>需要 {needed}；{path} 处可用 {free}。</translation>
  </message>
  <message>
   <source>Needs about {size}; {free} free there.</source>
   <translation>约需 {size}；该处可用 {free}。</translation>
  </message>
  <message>
   <source>Neighbours</source>
   <translation>近邻</translation>
  </message>
  <message>
   <source>Neighbours: which tokens the model treats as similar, before and after training.</source>
   <translation>近邻：训练前后，模型认为哪些词元相近。</translation>
  </message>
  <message>
   <source>Nesterov momentum</source>
   <translation>Nesterov 动量</translation>
  </message>
  <message>
   <source>Nesterov momentum is on, but Momentum is 0; set Momentum above 0, or turn Nesterov momentum off.</source>
   <translation>Nesterov 动量已打开，但动量为 0；请把动量设为大于 0，或关闭 Nesterov 动量。</translation>
  </message>
  <message>
   <source>New (random)</source>
   <translation>新的（随机初始化）</translation>
  </message>
  <message>
   <source>New lesson</source>
   <translation>新课程</translation>
  </message>
  <message>
   <source>New random weights are used because {name} does not fit: {why}.</source>
   <translation>已改用新的随机权重，因为 {name} 不匹配：{why}。</translation>
  </message>
  <message>
   <source>New run</source>
   <translation>新的训练</translation>
  </message>
  <message>
   <source>New run: {what}</source>
   <translation>新的训练：{what}</translation>
  </message>
  <message>
   <source>New step</source>
   <translation>新步骤</translation>
  </message>
  <message>
   <source>New token {n}</source>
   <translation>新词元 {n}</translation>
  </message>
  <message>
   <source>New tokens</source>
   <translation>新词元数</translation>
  </message>
  <message>
   <source>New tokens: {n}. Click one.</source>
   <translation>{n} 个新词元。单击其中一个。</translation>
  </message>
  <message>
   <source>Next</source>
   <translation>下一步</translation>
  </message>
  <message>
   <source>Next learner</source>
   <translation>下一个学习者</translation>
  </message>
  <message>
   <source>Next lesson: {title}</source>
   <translation>下一课：{title}</translation>
  </message>
  <message>
   <source>Next merge</source>
   <translation>下一次合并</translation>
  </message>
  <message>
   <source>Next pane</source>
   <translation>下一个区域</translation>
  </message>
  <message>
   <source>Next question</source>
   <translation>下一个问题</translation>
  </message>
  <message>
   <source>Next step</source>
   <translation>下一步</translation>
  </message>
  <message>
   <source>Next text</source>
   <translation>下一段文本</translation>
  </message>
  <message>
   <source>Next uncertain token</source>
   <translation>下一个不确定的词元</translation>
  </message>
  <message>
   <source>Next window</source>
   <translation>下一个窗口</translation>
  </message>
  <message>
   <source>Next, “{left}” and “{right}” are merged into “{both}”: of all adjacent pairs it has the lowest rank, {rank}. It was merge {number} of {all} to be learned.</source>
   <translation>接下来“{left}”与“{right}”合并成“{both}”：它的排名 {rank} 在所有相邻对中最小。它是学到的 {all} 次合并中的第 {number} 次。</translation>
  </message>
  <message>
   <source>No changes are kept under this name.</source>
   <translation>没有以此名称保存的改动。</translation>
  </message>
  <message>
   <source>No chart is shown. Choose curves with Curves first.</source>
   <translation>没有显示任何图表。请先用“曲线”选择曲线。</translation>
  </message>
  <message>
   <source>No checkpoint from before the jump is left.</source>
   <translation>跳升之前的检查点已经一个不剩。</translation>
  </message>
  <message>
   <source>No checkpoint was moved to the trash since the window opened.</source>
   <translation>窗口打开以来没有检查点移到回收站。</translation>
  </message>
  <message>
   <source>No checkpoint was saved yet.</source>
   <translation>尚未保存检查点。</translation>
  </message>
  <message>
   <source>No checkpoint was saved. Start the run again on the CPU (cpu).</source>
   <translation>没有保存过检查点。请用 CPU (cpu) 重新开始这次训练。</translation>
  </message>
  <message>
   <source>No colours, only the text.</source>
   <translation>不着色：只有文本。</translation>
  </message>
  <message>
   <source>No files yet</source>
   <translation>还没有文件</translation>
  </message>
  <message>
   <source>No gradient reaches block {n}: it does not learn.</source>
   <translation>没有梯度到达第 {n} 块：它学不到东西。</translation>
  </message>
  <message>
   <source>No guess</source>
   <translation>没有猜</translation>
  </message>
  <message>
   <source>No imported models yet. Open weights you already have, or download GPT-2 as published by OpenAI.</source>
   <translation>还没有导入的模型。打开你已有的权重，或下载 OpenAI 发布的 GPT-2。</translation>
  </message>
  <message>
   <source>No learned merge applies any more. Tokens of the word: {pieces}</source>
   <translation>已没有可用的合并规则。这个词的词元：{pieces}</translation>
  </message>
  <message>
   <source>No mask</source>
   <translation>无掩码</translation>
  </message>
  <message>
   <source>No merge yet: every byte is a token.</source>
   <translation>尚未合并：每个字节是一个词元。</translation>
  </message>
  <message>
   <source>No model is available here.</source>
   <translation>这里没有可用的模型。</translation>
  </message>
  <message>
   <source>No model yet: see the Model panel.</source>
   <translation>还没有模型：请查看“模型”面板。</translation>
  </message>
  <message>
   <source>No published checksum is known; the download is checked against the server's own.</source>
   <translation>没有已知的公布校验和；下载内容按服务器自己给出的校验和检查。</translation>
  </message>
  <message>
   <source>No run is in progress.</source>
   <translation>没有正在进行的训练。</translation>
  </message>
  <message>
   <source>No run of this sweep has failed.</source>
   <translation>此参数扫描中没有失败的训练。</translation>
  </message>
  <message>
   <source>No run was moved to the trash since the window opened.</source>
   <translation>窗口打开以来没有训练移到回收站。</translation>
  </message>
  <message>
   <source>No runs are left in the queue.</source>
   <translation>队列中没有剩余的训练。</translation>
  </message>
  <message>
   <source>No runs yet</source>
   <translation>还没有训练记录</translation>
  </message>
  <message>
   <source>No size has a loss yet.</source>
   <translation>还没有任何规模的损失。</translation>
  </message>
  <message>
   <source>No size has a loss: all have diverged. Lower the learning rate.</source>
   <translation>没有任何规模的损失：全部发散。请降低学习率。</translation>
  </message>
  <message>
   <source>No smaller settings fit into the free memory. Close other programs.</source>
   <translation>没有更小的设置能放进可用内存。请关闭其他程序。</translation>
  </message>
  <message>
   <source>No sweeps yet</source>
   <translation>尚无参数扫描</translation>
  </message>
  <message>
   <source>No task is running.</source>
   <translation>没有正在运行的任务。</translation>
  </message>
  <message>
   <source>No text yet. Generate one first; each time you choose another candidate, a new branch appears here.</source>
   <translation>还没有文本。请先生成一段；每当你换选一个候选词元，这里就多出一个分支。</translation>
  </message>
  <message>
   <source>No text yet. Generate one, then look inside the model here.</source>
   <translation>还没有文本。先生成一段，再在这里查看模型内部。</translation>
  </message>
  <message>
   <source>No token sees another here. Yet this network holds two thirds of a block's parameters.</source>
   <translation>在这里词元互不可见。然而一个块的参数有三分之二在这个网络里。</translation>
  </message>
  <message>
   <source>No unit is dead.</source>
   <translation>没有失效的单元。</translation>
  </message>
  <message>
   <source>No.</source>
   <translation>序号</translation>
  </message>
  <message>
   <source>Nobody has to label the data: the text itself gives the answers. A window over the tokens is the input; the same window moved one token further is the target. At each position, the model has to predict the next token.</source>
   <translation>不需要人工标注：文本自己就是答案。词元上的一个窗口是输入，同一个窗口右移一个词元就是目标。在每个位置，模型要预测下一个词元。</translation>
  </message>
  <message>
   <source>None</source>
   <translation>无</translation>
  </message>
  <message>
   <source>Norm of each step's gradient</source>
   <translation>每步梯度的范数</translation>
  </message>
  <message>
   <source>Norm of the gradient of the last step: {value}.</source>
   <translation>最近一步的梯度范数：{value}。</translation>
  </message>
  <message>
   <source>Not ended</source>
   <translation>未结束</translation>
  </message>
  <message>
   <source>Not evaluated yet.</source>
   <translation>还没有评估过。</translation>
  </message>
  <message>
   <source>Not handed in: nothing was written to {folder}. {why} Try again, choose another folder, or let your instructor photograph the code.</source>
   <translation>未提交：没有向 {folder} 写入任何内容。{why}请重试、选择其他文件夹，或让教师拍下二维码。</translation>
  </message>
  <message>
   <source>Not in the text yet: it stays {x}</source>
   <translation>文本中还没有：仍为 {x}</translation>
  </message>
  <message>
   <source>Not measured at this step.</source>
   <translation>这一步没有测量。</translation>
  </message>
  <message>
   <source>Nothing can be saved: the folder {path} is not writable ({why}). You can view everything, but no run and no model is saved. Set GPTSTUDIO_HOME to a writable folder and restart.</source>
   <translation>什么都无法保存：文件夹 {path} 不可写入（{why}）。你可以查看所有内容，但无法保存任何训练或模型。请把 GPTSTUDIO_HOME 设为可写入的文件夹，然后重新启动。</translation>
  </message>
  <message>
   <source>Nothing comes before this token, so the model made no prediction for it.</source>
   <translation>这个词元之前没有内容，模型没有对它作出预测。</translation>
  </message>
  <message>
   <source>Nothing copied</source>
   <translation>没有照抄</translation>
  </message>
  <message>
   <source>Nothing drawn yet</source>
   <translation>还没有抽取</translation>
  </message>
  <message>
   <source>Nothing found.</source>
   <translation>没有找到。</translation>
  </message>
  <message>
   <source>Nothing here is copied from the training text.</source>
   <translation>这里没有照抄自训练文本的内容。</translation>
  </message>
  <message>
   <source>Nothing is changed yet.</source>
   <translation>尚无改动。</translation>
  </message>
  <message>
   <source>Nothing is changed. Click a head or an MLP in the diagram to switch it off.</source>
   <translation>尚无改动。点击图中的注意力头或 MLP 即可将其关闭。</translation>
  </message>
  <message>
   <source>Nothing is changed: the probability of “{word}” is {before}.</source>
   <translation>没有改动：“{word}”的概率是 {before}。</translation>
  </message>
  <message>
   <source>Now in this run: {value} nats per token.</source>
   <translation>本次训练当前值：{value} nat/词元。</translation>
  </message>
  <message>
   <source>Now there is something to learn. Three matrices turn each word into a query (what it looks for), a key (what it offers) and a value (what it passes on). The scores are divided by √d_k: long vectors have large dot products, and softmax would then give nearly all the weight to a single word.</source>
   <translation>现在有了可以学习的参数。三个矩阵把每个词变成查询（它在找什么）、键（它能提供什么）和值（它传递什么）。分数要除以 √d_k：向量越长，点积越大，softmax 就会把几乎全部权重给某一个词。</translation>
  </message>
  <message>
   <source>Number</source>
   <translation>个数</translation>
  </message>
  <message>
   <source>Number format</source>
   <translation>数值格式</translation>
  </message>
  <message>
   <source>Number of attention heads that work in parallel; each gets width / heads numbers.</source>
   <translation>并行工作的注意力头的个数；每个头分得“宽度 / 头数”个数。</translation>
  </message>
  <message>
   <source>Number of attention heads, each with its own weights.</source>
   <translation>注意力头的个数，各有自己的权重。</translation>
  </message>
  <message>
   <source>Number of attention heads; they divide the width among themselves.</source>
   <translation>注意力头的个数；各头平分宽度。</translation>
  </message>
  <message>
   <source>Number of batches on which each of the two losses is measured.</source>
   <translation>两种损失各在多少个批次上测量。</translation>
  </message>
  <message>
   <source>Number of batches whose gradients are averaged for one step (gradient accumulation): a larger batch in the same memory.</source>
   <translation>一步里对多少个批次的梯度取平均（梯度累积）：用同样的内存得到更大的批次。</translation>
  </message>
  <message>
   <source>Number of blocks, from the first one on, that training does not change: attention, feed-forward network and norms.</source>
   <translation>从第一个起，训练时整个保持不变的块数：注意力、前馈网络和归一化。</translation>
  </message>
  <message>
   <source>Number of characters, after the bytes of the file were decoded</source>
   <translation>文件的字节解码之后的字符数</translation>
  </message>
  <message>
   <source>Number of different tokens. GPT-2's tokenizer has 50,257; with characters, it depends on the text.</source>
   <translation>不同词元的数量。GPT-2 的分词器有 50,257 个；按字符时，数量由文本决定。</translation>
  </message>
  <message>
   <source>Number of elements of each query, key and value, per head.</source>
   <translation>每个头里查询、键和值各有多少个数。</translation>
  </message>
  <message>
   <source>Number of epochs between checkpoints, or leave empty to save by time only.</source>
   <translation>每隔这么多轮存一个检查点。留空：只按时间。</translation>
  </message>
  <message>
   <source>Number of inputs at which the curves are computed.</source>
   <translation>在多少个输入处计算曲线。</translation>
  </message>
  <message>
   <source>Number of passes over the whole training text.</source>
   <translation>整个训练文本读多少遍。</translation>
  </message>
  <message>
   <source>Number of runs</source>
   <translation>次数</translation>
  </message>
  <message>
   <source>Number of runs with each combination of values, which differ in their random seed alone. Their spread shows how much of a difference is random</source>
   <translation>每种取值组合的训练次数，它们只有随机种子不同。其离散程度显示差异中有多少是随机的</translation>
  </message>
  <message>
   <source>Number of seeds</source>
   <translation>随机种子数</translation>
  </message>
  <message>
   <source>Number of steps between two measurements of both losses, with dropout off; or leave empty for 5, and for 15 where the model is narrower than GPT-2 and a step is short.</source>
   <translation>两次测量两种损失之间的步数，测量时不使用 dropout；留空则为 5 步，若模型比 GPT-2 窄、每步很短，则为 15 步。</translation>
  </message>
  <message>
   <source>Number of steps that each takes.</source>
   <translation>每种优化器走的步数。</translation>
  </message>
  <message>
   <source>Number of steps that the run has done</source>
   <translation>这次训练已完成的步数</translation>
  </message>
  <message>
   <source>Number of text windows in one step.</source>
   <translation>一步使用多少个文本窗口。</translation>
  </message>
  <message>
   <source>Number of texts</source>
   <translation>文本数</translation>
  </message>
  <message>
   <source>Number of texts that are kept at each step; 1 is greedy decoding.</source>
   <translation>每一步保留的文本数；1 即贪心解码。</translation>
  </message>
  <message>
   <source>Number of texts to generate at once, in one pass of the model per token.</source>
   <translation>一次生成多少段文本，每个词元只需模型计算一遍。</translation>
  </message>
  <message>
   <source>Number of tokens listed</source>
   <translation>列出的词元数</translation>
  </message>
  <message>
   <source>Number of tokens that the model reads: pieces of words, of GPT-2's vocabulary</source>
   <translation>模型读入的词元数：GPT-2 词表中的词片段</translation>
  </message>
  <message>
   <source>Number of tokens the model sees at once, with one position vector each.</source>
   <translation>模型一次能看到多少个词元：每个位置一个位置向量。</translation>
  </message>
  <message>
   <source>Number of tokens to generate.</source>
   <translation>要生成的词元数。</translation>
  </message>
  <message>
   <source>Number of transformer blocks, stacked one after another.</source>
   <translation>依次堆叠的 Transformer 块的个数。</translation>
  </message>
  <message>
   <source>Number of values</source>
   <translation>取值个数</translation>
  </message>
  <message>
   <source>Number of values that represent one token inside the model. Must be a multiple of the number of heads.</source>
   <translation>模型内部用多少个数表示一个词元。必须是注意力头数的倍数。</translation>
  </message>
  <message>
   <source>Number of weights and biases of the model</source>
   <translation>模型的权重和偏置的总数</translation>
  </message>
  <message>
   <source>Number {at}: 1 × {value}, plus 0 × another number, {count} times.</source>
   <translation>第 {at} 个数：1 × {value}，再加 {count} 个 0 × 其他数。</translation>
  </message>
  <message>
   <source>Number {place} of “{word}”: {value}. Double-click to change it. Click the word to make it the query.</source>
   <translation>“{word}”的第 {place} 个数：{value}。双击可修改。单击该词可将其设为查询。</translation>
  </message>
  <message>
   <source>Numbers are dropped at random, and the rest scaled up.</source>
   <translation>随机丢弃一些数，并放大其余的数。</translation>
  </message>
  <message>
   <source>Numbers per token inside the model. Must be a multiple of the number of heads.</source>
   <translation>模型内部用多少个数表示一个词元。必须是头数的整数倍。</translation>
  </message>
  <message>
   <source>Numbers per token; inside the network there are four times as many.</source>
   <translation>每个词元用多少个数表示；网络内部是四倍。</translation>
  </message>
  <message>
   <source>ONNX folder</source>
   <translation>ONNX 文件夹</translation>
  </message>
  <message>
   <source>ONNX needs the packages {packages}, which are not installed. Install them with: {command}</source>
   <translation>写出 ONNX 需要 {packages} 这些包，但尚未安装。安装命令：{command}</translation>
  </message>
  <message>
   <source>Occurrences in the text: {n}. {x} - {n} × {penalty} = {y}</source>
   <translation>文本中的出现次数：{n}。{x} - {n} × {penalty} = {y}</translation>
  </message>
  <message>
   <source>Of {count} heads, {n} look at almost one token only: attention may have collapsed.</source>
   <translation>{count} 个头中有 {n} 个几乎只看一个词元：注意力可能已坍缩。</translation>
  </message>
  <message>
   <source>Off</source>
   <translation>关闭</translation>
  </message>
  <message>
   <source>Off: evaluation mode; nothing is dropped.</source>
   <translation>关闭：评估模式，什么也不丢弃。</translation>
  </message>
  <message>
   <source>Off: it is split into tokens like any other text.</source>
   <translation>关闭时，它像普通文本一样切分成词元。</translation>
  </message>
  <message>
   <source>On</source>
   <translation>开启</translation>
  </message>
  <message>
   <source>On Generate: stretches of five or more tokens that occur word for word in the training text</source>
   <translation>在“生成”页：一字不差地出现在训练文本中的、五个或更多词元的片段</translation>
  </message>
  <message>
   <source>On Train: the Model panel, the settings, all figures and panes, or only the run</source>
   <translation>在“训练”页：显示模型面板、设置、全部数值和窗格，或只显示这次训练</translation>
  </message>
  <message>
   <source>On a CUDA GPU, PyTorch compiles the model before the first token, which takes some seconds and makes every token faster (torch.compile).</source>
   <translation>在 CUDA GPU 上，PyTorch 在第一个词元之前编译模型；这需要几秒，之后每个词元更快（torch.compile）。</translation>
  </message>
  <message>
   <source>On a scale</source>
   <translation>在标尺上看</translation>
  </message>
  <message>
   <source>On a text: on The Verdict, with the preset workshop and in equal processor time, the lowest validation loss was 6.02 with Muon, 6.11 with AdamW and 6.47 with SGD, each with the best of two or three rates, from one seed. To compare them yourself, train a run, then choose Run again with… on Runs, and the setting Optimizer.</source>
   <translation>在一段文本上：用预设 workshop 训练 The Verdict，处理器时间相同，最低验证损失为 Muon 6.02、AdamW 6.11、SGD 6.47，每种取两三个学习率中最好的，一个随机种子。想自己比较，先完成一次训练，然后在“训练记录”页选择“换用其他取值再训练…”，并选设置“优化器”。</translation>
  </message>
  <message>
   <source>On each step's own batch, dropout on</source>
   <translation>在每一步自己的批次上，开启 Dropout</translation>
  </message>
  <message>
   <source>On logarithmic axes it is a straight line with slope −b (if the irreducible loss is 0). Kaplan et al. (2020) found b = 0.076 for N without embeddings, each size trained on as much text as it could use. Hoffmann et al. (2022, Chinchilla) found b = 0.34 above an irreducible loss of 1.69, N with embeddings. Both are drawn through the middle of the points: compare the slopes.</source>
   <translation>在对数坐标上，它是斜率为 −b 的直线（不可约损失为 0 时）。Kaplan 等（2020）得到 b = 0.076，N 不含嵌入，每种规模都有足够多的文本可读。Hoffmann 等（2022，Chinchilla）得到 b = 0.34，是在不可约损失 1.69 之上，N 含嵌入。两者都画成通过各点的中心：请比较斜率。</translation>
  </message>
  <message>
   <source>On some training batches, dropout off</source>
   <translation>在若干训练批次上，关闭 Dropout</translation>
  </message>
  <message>
   <source>On the attention weights, or leave empty to use Rate.</source>
   <translation>注意力权重上；留空则使用“丢弃率”。</translation>
  </message>
  <message>
   <source>On the held-out text, dropout off</source>
   <translation>在留出的文本上，关闭 Dropout</translation>
  </message>
  <message>
   <source>One ID, six tokens</source>
   <translation>一个 ID，六个词元</translation>
  </message>
  <message>
   <source>One answer per line; none if the answer is a number</source>
   <translation>每行一个答案；答案是数字时留空</translation>
  </message>
  <message>
   <source>One attention module</source>
   <translation>一个注意力模块</translation>
  </message>
  <message>
   <source>One click trains the model. Pause after any step, take single steps, stop and continue: nothing is lost.</source>
   <translation>点一下就开始训练。可以在任意一步后暂停、单步执行、停止再继续：什么都不会丢失。</translation>
  </message>
  <message>
   <source>One feed-forward network</source>
   <translation>一个前馈网络</translation>
  </message>
  <message>
   <source>One file with the weights in float32, configuration and tokenizer. llama.cpp opens it, and programs that are built on it.</source>
   <translation>单个文件，含 float32 权重、配置和分词器。可用 llama.cpp 及基于它的程序打开。</translation>
  </message>
  <message>
   <source>One logit for each token of the vocabulary: how well it would fit as the next token.</source>
   <translation>词表中每个词元一个 logit：它有多适合作为下一个词元。</translation>
  </message>
  <message>
   <source>One matrix</source>
   <translation>一个矩阵</translation>
  </message>
  <message>
   <source>One number for each of the nine words; the larger, the more likely.</source>
   <translation>九个词各一个数；越大越可能。</translation>
  </message>
  <message>
   <source>One number for how wrong a model is.</source>
   <translation>用一个数说明模型错了多少。</translation>
  </message>
  <message>
   <source>One of the settings is invalid. Correct it first.</source>
   <translation>有一项设置无效，请先改正。</translation>
  </message>
  <message>
   <source>One page to print: name, curve, a guess, samples</source>
   <translation>可打印的一页：名字、曲线、一个猜测和样本</translation>
  </message>
  <message>
   <source>One page with the curves, samples, settings and events of the run, for any browser, also on paper</source>
   <translation>一个网页，包含这次训练的曲线、样本、设置和事件；任何浏览器都能打开，也可以打印</translation>
  </message>
  <message>
   <source>One position back</source>
   <translation>后退一个位置</translation>
  </message>
  <message>
   <source>One position forward</source>
   <translation>前进一个位置</translation>
  </message>
  <message>
   <source>One row of numbers per word; all rows must have the same length.</source>
   <translation>每个词一行数；各行长度必须相同。</translation>
  </message>
  <message>
   <source>One row per sequence. Separate IDs with commas and rows with semicolons.</source>
   <translation>每个序列一行。ID 之间用逗号，行之间用分号。</translation>
  </message>
  <message>
   <source>One run is selected</source>
   <translation>选中了一次训练</translation>
  </message>
  <message>
   <source>One sample with the sampling settings and the seed of this page.</source>
   <translation>用本页的采样设置和种子得到的一个样本。</translation>
  </message>
  <message>
   <source>One sentence</source>
   <translation>一个句子</translation>
  </message>
  <message>
   <source>One setting per line, such as temperature = 2.0</source>
   <translation>每行一个设置，例如 temperature = 2.0</translation>
  </message>
  <message>
   <source>One to six of the fourteen words of the model.</source>
   <translation>模型的十四个词中的一到六个。</translation>
  </message>
  <message>
   <source>One variant in the study notes gives its model biases and runs one batch in training mode first. That batch changes no weights, so it is left out here; the biases do change the text.</source>
   <translation>学习笔记中有一种写法给模型加了偏置，并先在训练模式下运行一个批次。这个批次不改变任何权重，所以这里省去；偏置则会改变文本。</translation>
  </message>
  <message>
   <source>One variant in the study notes multiplies the root by x alone. It is off by at most {apart}, at x = {x}: too little to see in a plot, but visible when you compare the numbers.</source>
   <translation>学习笔记中有一种写法，根号只乘 x。它最多偏差 {apart}，在 x = {x} 处：图上看不出来，把数并排比较才看得出。</translation>
  </message>
  <message>
   <source>One variant in the study notes starts it at one, the others at zero.</source>
   <translation>学习笔记中有一种写法从一开始，其余从零开始。</translation>
  </message>
  <message>
   <source>Ones, half dropped</source>
   <translation>全 1，丢弃一半</translation>
  </message>
  <message>
   <source>Only a model was saved, without the optimizer state: no run can continue from it. Use Run again to train with its settings once more.</source>
   <translation>只保存了模型，没有优化器状态：不能从它继续训练。用“再训练一次”以同样的设置重新开始。</translation>
  </message>
  <message>
   <source>Only numbers have ranges.</source>
   <translation>只有数值才有范围。</translation>
  </message>
  <message>
   <source>Only one branch so far. To add one, select a token in the text, then another candidate under Choices.</source>
   <translation>目前只有一个分支。要添加分支，请在文本中选一个词元，再到“候选”里选另一个词元。</translation>
  </message>
  <message>
   <source>Only the learning rate can be changed while a run is paused.</source>
   <translation>训练暂停时只能更改学习率。</translation>
  </message>
  <message>
   <source>Only the model could be saved. It can generate, but its run cannot continue from it.</source>
   <translation>只能保存模型。它可以生成文本，但训练无法从它继续。</translation>
  </message>
  <message>
   <source>Only the model was saved after step {n}, without the state of the optimizer and the random numbers: you can generate with it, but no run can continue from it.</source>
   <translation>第 {n} 步之后只保存了模型，没有优化器和随机数的状态：可以用它生成，但不能从它继续训练。</translation>
  </message>
  <message>
   <source>Only the model was saved after this step. You can generate with it.</source>
   <translation>这一步之后只保存了模型，可以用它生成文本，但不能从它继续训练。</translation>
  </message>
  <message>
   <source>Only the model was saved: no run can continue from it.</source>
   <translation>只保存了模型：不能从它继续训练。</translation>
  </message>
  <message>
   <source>Only what Write generates can be copied as code. Choose Write first.</source>
   <translation>只有“续写”视图的内容可以复制为代码。请先切换到“续写”。</translation>
  </message>
  <message>
   <source>Open a file…</source>
   <translation>打开文件…</translation>
  </message>
  <message>
   <source>Open a folder of weights</source>
   <translation>打开权重文件夹</translation>
  </message>
  <message>
   <source>Open a folder of weights…</source>
   <translation>打开权重文件夹…</translation>
  </message>
  <message>
   <source>Open a lesson</source>
   <translation>打开课程</translation>
  </message>
  <message>
   <source>Open a lesson…</source>
   <translation>打开课程…</translation>
  </message>
  <message>
   <source>Open a text to score</source>
   <translation>打开要打分的文本</translation>
  </message>
  <message>
   <source>Open a training text</source>
   <translation>打开训练文本</translation>
  </message>
  <message>
   <source>Open a tree</source>
   <translation>打开分支树</translation>
  </message>
  <message>
   <source>Open any experiment of the list on Learn, and change what you like.</source>
   <translation>在“学习”页的列表里打开任何一个实验，随意更改。</translation>
  </message>
  <message>
   <source>Open branch</source>
   <translation>打开分支</translation>
  </message>
  <message>
   <source>Open files…</source>
   <translation>打开文件…</translation>
  </message>
  <message>
   <source>Open folder…</source>
   <translation>打开文件夹…</translation>
  </message>
  <message>
   <source>Open in Train</source>
   <translation>在“训练”中打开</translation>
  </message>
  <message>
   <source>Open lesson…</source>
   <translation>打开课程…</translation>
  </message>
  <message>
   <source>Open log folder</source>
   <translation>打开日志文件夹</translation>
  </message>
  <message>
   <source>Open my weights</source>
   <translation>打开我的权重</translation>
  </message>
  <message>
   <source>Open texts…</source>
   <translation>打开文本…</translation>
  </message>
  <message>
   <source>Open the Model panel</source>
   <translation>展开模型面板</translation>
  </message>
  <message>
   <source>Open the copied passage in Texts</source>
   <translation>在“文本集”页打开原文</translation>
  </message>
  <message>
   <source>Open the folder in which you have collected the reports (.html) or packed runs (.zip) of your class, or drop them here. They are not added to your own runs.</source>
   <translation>打开你收集全班报告（.html）或打包的训练记录（.zip）的文件夹，或把文件拖到这里。它们不会加入你自己的训练列表。</translation>
  </message>
  <message>
   <source>Open the next lesson</source>
   <translation>打开下一课</translation>
  </message>
  <message>
   <source>Open training texts</source>
   <translation>打开训练文本</translation>
  </message>
  <message>
   <source>Open tree</source>
   <translation>打开分支树</translation>
  </message>
  <message>
   <source>Open weights</source>
   <translation>打开权重</translation>
  </message>
  <message>
   <source>Open weights…</source>
   <translation>打开权重…</translation>
  </message>
  <message>
   <source>Opened texts</source>
   <translation>已打开的文本</translation>
  </message>
  <message>
   <source>Opens Score in Generate with the first of these models: score a text, choose another of them, and score the same text again.</source>
   <translation>打开“生成”页的“评分”，并选用其中第一个模型：给一段文本评分，再换其中另一个模型给同一段文本评分。</translation>
  </message>
  <message>
   <source>Opens at the control that has the keyboard focus</source>
   <translation>在键盘焦点所在的控件处打开</translation>
  </message>
  <message>
   <source>Opens branches that you saved before.</source>
   <translation>打开以前保存的分支。</translation>
  </message>
  <message>
   <source>Opens it in the file manager</source>
   <translation>在文件管理器中打开</translation>
  </message>
  <message>
   <source>Opens its best checkpoint in the Generate tab</source>
   <translation>在“生成”页打开它的最佳检查点</translation>
  </message>
  <message>
   <source>Opens the Model panel (Ctrl+M)</source>
   <translation>展开模型面板（Ctrl+M）</translation>
  </message>
  <message>
   <source>Opens the Model panel and the settings</source>
   <translation>打开模型面板和设置</translation>
  </message>
  <message>
   <source>Opens the best checkpoint of this run on Generate</source>
   <translation>在“生成”页打开这次训练的最佳检查点</translation>
  </message>
  <message>
   <source>Opens the copied passage in Texts: that of the chosen token, or else the longest</source>
   <translation>在“文本集”页打开照抄的原文：优先打开所选词元的原文，否则打开最长的一段</translation>
  </message>
  <message>
   <source>Opens the file of a lesson here</source>
   <translation>在这里打开课程文件</translation>
  </message>
  <message>
   <source>Opens the folder of this file in the file manager</source>
   <translation>在文件管理器中打开此文件所在的文件夹</translation>
  </message>
  <message>
   <source>Opens the lesson in the window</source>
   <translation>在窗口中打开课程</translation>
  </message>
  <message>
   <source>Opens the page with the releases in the browser</source>
   <translation>在浏览器中打开发布页</translation>
  </message>
  <message>
   <source>Opens the part of the manual that says what to do about it</source>
   <translation>打开手册中说明解决办法的部分</translation>
  </message>
  <message>
   <source>Opens the run in the Train tab; a run in progress is followed live</source>
   <translation>在“训练”页打开这次训练；进行中的训练会实时跟踪</translation>
  </message>
  <message>
   <source>Opens the run's folder in the file manager</source>
   <translation>在文件管理器中打开这次训练的文件夹</translation>
  </message>
  <message>
   <source>Opens this checkpoint in the Generate tab</source>
   <translation>在“生成”页打开这个检查点</translation>
  </message>
  <message>
   <source>Open…</source>
   <translation>打开…</translation>
  </message>
  <message>
   <source>Optimizer</source>
   <translation>优化器</translation>
  </message>
  <message>
   <source>Or drop .txt and .md files onto the window</source>
   <translation>或把 .txt 和 .md 文件拖到窗口上</translation>
  </message>
  <message>
   <source>Or drop a .txt file here</source>
   <translation>或把 .txt 文件拖到这里</translation>
  </message>
  <message>
   <source>Order</source>
   <translation>顺序</translation>
  </message>
  <message>
   <source>Order in which the sampling stages are applied. Stages that are not listed keep their usual place.</source>
   <translation>各采样阶段的应用顺序。未列出的阶段保持默认位置。</translation>
  </message>
  <message>
   <source>Order is {order}; it can contain each of {stages} once.</source>
   <translation>顺序为 {order}；其中 {stages} 各最多出现一次。</translation>
  </message>
  <message>
   <source>Other answers</source>
   <translation>其他回答</translation>
  </message>
  <message>
   <source>Other errors came before it; the details list them all.</source>
   <translation>在它之前还有别的错误；详细信息中已全部列出。</translation>
  </message>
  <message>
   <source>Outcome</source>
   <translation>结果</translation>
  </message>
  <message>
   <source>Output layer</source>
   <translation>输出层</translation>
  </message>
  <message>
   <source>Output layer: logits</source>
   <translation>输出层：logits</translation>
  </message>
  <message>
   <source>Output projection</source>
   <translation>输出投影</translation>
  </message>
  <message>
   <source>P, rows used</source>
   <translation>P，用到的行</translation>
  </message>
  <message>
   <source>PDF (*.pdf)</source>
   <translation>PDF (*.pdf)</translation>
  </message>
  <message>
   <source>Packing the work of the class</source>
   <translation>正在打包全班的成果</translation>
  </message>
  <message>
   <source>Packing {name}</source>
   <translation>正在打包 {name}</translation>
  </message>
  <message>
   <source>Page</source>
   <translation>页面</translation>
  </message>
  <message>
   <source>Page of the manual</source>
   <translation>手册页面</translation>
  </message>
  <message>
   <source>Page: {name}</source>
   <translation>页面：{name}</translation>
  </message>
  <message>
   <source>Papers: {papers}</source>
   <translation>论文：{papers}</translation>
  </message>
  <message>
   <source>Parameters</source>
   <translation>参数</translation>
  </message>
  <message>
   <source>Parameters by component</source>
   <translation>各部分的参数量</translation>
  </message>
  <message>
   <source>Parameters counted</source>
   <translation>参数计数</translation>
  </message>
  <message>
   <source>Parameters of five models by component</source>
   <translation>五个模型的参数，按组成部分列出</translation>
  </message>
  <message>
   <source>Parameters, logarithmic</source>
   <translation>参数数量，对数刻度</translation>
  </message>
  <message>
   <source>Parameters: {arithmetic}.</source>
   <translation>参数：{arithmetic}。</translation>
  </message>
  <message>
   <source>Parameters: {count}, {size}</source>
   <translation>{count} 个参数，{size}</translation>
  </message>
  <message>
   <source>Parameters: {parameters}; placeholder: {placeholder}.</source>
   <translation>参数：{parameters} 个；占位模型：{placeholder} 个。</translation>
  </message>
  <message>
   <source>Parent run</source>
   <translation>原训练</translation>
  </message>
  <message>
   <source>Part</source>
   <translation>部分</translation>
  </message>
  <message>
   <source>Part of the run's data could not be saved and is left out from here on.</source>
   <translation>该训练的部分数据无法保存，从此处起不再记录。</translation>
  </message>
  <message>
   <source>Parts of a block</source>
   <translation>块的组成部分</translation>
  </message>
  <message>
   <source>Parts of the model that training does not change. With a tied output layer, token_embedding and output_layer are one matrix: freezing either one freezes both.</source>
   <translation>训练时保持不变的模型部分。若输出层与嵌入共享权重，token_embedding 和 output_layer 是同一个矩阵：冻结其一即冻结两者。</translation>
  </message>
  <message>
   <source>Passage in {name}</source>
   <translation>{name} 中的原文</translation>
  </message>
  <message>
   <source>Paste a text</source>
   <translation>粘贴文本</translation>
  </message>
  <message>
   <source>Paste a text…</source>
   <translation>粘贴文本…</translation>
  </message>
  <message>
   <source>Paste or type a text first.</source>
   <translation>请先粘贴或输入文本。</translation>
  </message>
  <message>
   <source>Paste or type any text, or drop a .txt file.</source>
   <translation>粘贴或输入任意文本，或把 .txt 文件拖进来。</translation>
  </message>
  <message>
   <source>Paste or type the text here. It is saved as a file on this computer.</source>
   <translation>在此粘贴或输入文本。它会保存为本机上的文件。</translation>
  </message>
  <message>
   <source>Pasted text</source>
   <translation>粘贴的文本</translation>
  </message>
  <message>
   <source>Patch</source>
   <translation>修补</translation>
  </message>
  <message>
   <source>Patched</source>
   <translation>修补后</translation>
  </message>
  <message>
   <source>Patching</source>
   <translation>修补</translation>
  </message>
  <message>
   <source>Paths through the valley</source>
   <translation>穿过山谷的路径</translation>
  </message>
  <message>
   <source>Pause</source>
   <translation>暂停</translation>
  </message>
  <message>
   <source>Pause first; then you can train step by step.</source>
   <translation>请先暂停，然后可以一步一步地训练。</translation>
  </message>
  <message>
   <source>Pause the run first.</source>
   <translation>请先暂停训练。</translation>
  </message>
  <message>
   <source>Paused</source>
   <translation>已暂停</translation>
  </message>
  <message>
   <source>Paused. The next step uses learning rate {rate:g}.</source>
   <translation>已暂停。下一步使用学习率 {rate:g}。</translation>
  </message>
  <message>
   <source>Pauses at this token (P).</source>
   <translation>停在这个词元（P）。</translation>
  </message>
  <message>
   <source>Pausing after this step…</source>
   <translation>这一步之后暂停…</translation>
  </message>
  <message>
   <source>Peak memory of the whole program, including libraries and the window: {much}.</source>
   <translation>整个程序（包括各个库和窗口）的内存峰值：{much}。</translation>
  </message>
  <message>
   <source>Per token</source>
   <translation>每个词元</translation>
  </message>
  <message>
   <source>Percentage of the numbers</source>
   <translation>所占百分比</translation>
  </message>
  <message>
   <source>Perplexity</source>
   <translation>困惑度</translation>
  </message>
  <message>
   <source>Perplexity expresses the same thing differently: the model is as uncertain as if it chose among this many equally likely tokens. A model that knows nothing chooses among all 50,257: a loss of 10.82.</source>
   <translation>困惑度换个说法讲同一件事：模型的不确定程度，相当于在这么多个可能性相同的词元中选择。什么都不懂的模型要在全部 50,257 个中选择：损失为 10.82。</translation>
  </message>
  <message>
   <source>Picture (*.png)</source>
   <translation>图片 (*.png)</translation>
  </message>
  <message>
   <source>Picture (PNG)</source>
   <translation>图片 (PNG)</translation>
  </message>
  <message>
   <source>Place</source>
   <translation>位置</translation>
  </message>
  <message>
   <source>Placeholder's logits</source>
   <translation>占位模型的 logits</translation>
  </message>
  <message>
   <source>Play</source>
   <translation>播放</translation>
  </message>
  <message>
   <source>Playback speed</source>
   <translation>播放速度</translation>
  </message>
  <message>
   <source>Playback speed, from 1 to {n} tokens per second. The model may be slower.</source>
   <translation>播放速度，每秒 1 到 {n} 个词元。模型可能更慢。</translation>
  </message>
  <message>
   <source>Point at</source>
   <translation>指向</translation>
  </message>
  <message>
   <source>Point at a cell to read what copying it does; click it to see the probabilities.</source>
   <translation>指向一个格子，可读复制它的效果；点击可看概率。</translation>
  </message>
  <message>
   <source>Point at a cell to see its three most likely tokens.</source>
   <translation>指向一个格子，查看它最可能的三个词元。</translation>
  </message>
  <message>
   <source>Point at a head to read its three scores.</source>
   <translation>指向一个头，可读它的三个分数。</translation>
  </message>
  <message>
   <source>Point at a number to see how it is calculated. Click a token to continue the text with it.</source>
   <translation>指向一个数，查看它的计算过程。单击一个词元，文本就从它继续。</translation>
  </message>
  <message>
   <source>Point at the curves to read their values.</source>
   <translation>指向曲线即可读数。</translation>
  </message>
  <message>
   <source>Points</source>
   <translation>点数</translation>
  </message>
  <message>
   <source>Position</source>
   <translation>位置</translation>
  </message>
  <message>
   <source>Position embedding</source>
   <translation>位置嵌入</translation>
  </message>
  <message>
   <source>Position in its sequence, counted from 0.</source>
   <translation>在该序列中的位置，从 0 数起。</translation>
  </message>
  <message>
   <source>Position in the text of the first token of each row, counted from 0.</source>
   <translation>每行的第一个词元在文本中的位置，从 0 数起。</translation>
  </message>
  <message>
   <source>Position of the first token</source>
   <translation>第一个词元的位置</translation>
  </message>
  <message>
   <source>Position of the first token with which the branch parts from the one above</source>
   <translation>该分支与上方分支分开的第一个词元的位置</translation>
  </message>
  <message>
   <source>Position of the first token: {first} (0 to {last})</source>
   <translation>第一个词元的位置：{first}（0 至 {last}）</translation>
  </message>
  <message>
   <source>Position of the word, counted from 0.</source>
   <translation>词的位置，从 0 数起。</translation>
  </message>
  <message>
   <source>Position {at}, {name}</source>
   <translation>位置 {at}，{name}</translation>
  </message>
  <message>
   <source>Position {n}  ·  {all} tokens</source>
   <translation>位置 {n}  ·  {all} 个词元</translation>
  </message>
  <message>
   <source>Position {n} is read as “{token}”</source>
   <translation>位置 {n} 按“{token}”读取</translation>
  </message>
  <message>
   <source>Position {n}, found by a beam search</source>
   <translation>位置 {n}，由束搜索找到</translation>
  </message>
  <message>
   <source>Position {n}, given, not sampled</source>
   <translation>位置 {n}，给定而非采样</translation>
  </message>
  <message>
   <source>Position {n}, in the prompt</source>
   <translation>位置 {n}，属于提示词</translation>
  </message>
  <message>
   <source>Position {n}, sampled by the model</source>
   <translation>位置 {n}，由模型采样</translation>
  </message>
  <message>
   <source>Position {n}: {token} was found by a beam search; the model gave it {p}</source>
   <translation>位置 {n}：{token} 由束搜索找到；模型给它的概率为 {p}</translation>
  </message>
  <message>
   <source>Position {n}: {token} was given</source>
   <translation>位置 {n}：{token} 是给定的</translation>
  </message>
  <message>
   <source>Position {n}: {token} was given; the model gave it {p}</source>
   <translation>位置 {n}：{token} 是给定的；模型给它 {p}</translation>
  </message>
  <message>
   <source>Position {n}: {token} was sampled with probability {p}</source>
   <translation>位置 {n}：{token}，采样概率 {p}</translation>
  </message>
  <message>
   <source>Position {n}: “{clean}” in the clean prompt, “{corrupted}” in the corrupted one</source>
   <translation>位置 {n}：干净提示词中为“{clean}”，受损提示词中为“{corrupted}”</translation>
  </message>
  <message>
   <source>Position {n}: “{token}” in both prompts</source>
   <translation>位置 {n}：两个提示词中都是“{token}”</translation>
  </message>
  <message>
   <source>Possible causes, the most likely first: {causes}.</source>
   <translation>可能的原因，最可能的在前：{causes}。</translation>
  </message>
  <message>
   <source>Precision</source>
   <translation>精度</translation>
  </message>
  <message>
   <source>Precision is bf16; with reference arithmetic, it must be fp32 or auto.</source>
   <translation>精度为 bf16；使用参考运算时必须是 fp32 或 auto。</translation>
  </message>
  <message>
   <source>Precision is {precision}; with reference arithmetic, it must be fp32.</source>
   <translation>精度为 {precision}；使用参考运算时必须是 fp32。</translation>
  </message>
  <message>
   <source>Preferences</source>
   <translation>偏好设置</translation>
  </message>
  <message>
   <source>Preferences…</source>
   <translation>偏好设置…</translation>
  </message>
  <message>
   <source>Preparing the model</source>
   <translation>正在准备模型</translation>
  </message>
  <message>
   <source>Preparing…</source>
   <translation>正在准备…</translation>
  </message>
  <message>
   <source>Pres.</source>
   <translation>存在</translation>
  </message>
  <message>
   <source>Presence</source>
   <translation>存在</translation>
  </message>
  <message>
   <source>Presence penalty</source>
   <translation>存在惩罚</translation>
  </message>
  <message>
   <source>Preset</source>
   <translation>预设</translation>
  </message>
  <message>
   <source>Press Enter to look it up. “ king” with a leading space is a different token from “king”; inside a text, words usually have the space.</source>
   <translation>按 Enter 查找。前面带空格的“ king”与“king”是不同的词元；在文本中，单词前面通常带空格。</translation>
  </message>
  <message>
   <source>Press Generate to generate a text here, token by token. Click any token to see the alternatives, choose another one, and the text continues from there.</source>
   <translation>按“生成”，文本就在这里逐词元生成。单击任意词元查看其他候选；选另一个，文本就从那里继续。</translation>
  </message>
  <message>
   <source>Previous learner</source>
   <translation>上一个学习者</translation>
  </message>
  <message>
   <source>Previous merge</source>
   <translation>上一次合并</translation>
  </message>
  <message>
   <source>Previous question</source>
   <translation>上一个问题</translation>
  </message>
  <message>
   <source>Previous step</source>
   <translation>上一步</translation>
  </message>
  <message>
   <source>Previous text</source>
   <translation>上一段文本</translation>
  </message>
  <message>
   <source>Previous token</source>
   <translation>前一词元</translation>
  </message>
  <message>
   <source>Previous window</source>
   <translation>上一个窗口</translation>
  </message>
  <message>
   <source>Probabilities</source>
   <translation>概率</translation>
  </message>
  <message>
   <source>Probabilities of the next token of the probe prompt</source>
   <translation>探针提示下一个词元的概率</translation>
  </message>
  <message>
   <source>Probabilities of the next token: clean, corrupted, patched</source>
   <translation>下一词元的概率：干净、受损、修补后</translation>
  </message>
  <message>
   <source>Probabilities: the number of values is {count}; it must be between 1 and {high}.</source>
   <translation>“概率”有 {count} 个数；个数必须在 1 到 {high} 之间。</translation>
  </message>
  <message>
   <source>Probability</source>
   <translation>概率</translation>
  </message>
  <message>
   <source>Probability of each token of the prompt after those before it, before any sampling setting changes it. Nats per token: the mean loss (negative log-likelihood). It and the bits per byte count all tokens of the prompt that both sides read.</source>
   <translation>提示词中每个词元在前文之后的概率，未受采样设置影响。nat/词元：平均损失（负对数似然）。它和每字节比特数都针对提示词中两侧都读到的全部词元。</translation>
  </message>
  <message>
   <source>Probability of the answer</source>
   <translation>答案的概率</translation>
  </message>
  <message>
   <source>Probability of the most likely token; one quarter is at the middle of the colour scale.</source>
   <translation>最可能词元的概率；四分之一位于色阶正中。</translation>
  </message>
  <message>
   <source>Probability over temperature</source>
   <translation>概率随温度的变化</translation>
  </message>
  <message>
   <source>Probability {p}, surprisal {bits} bits</source>
   <translation>概率 {p}，惊讶度 {bits} 比特</translation>
  </message>
  <message>
   <source>Probe prompt</source>
   <translation>探针提示</translation>
  </message>
  <message>
   <source>Probe prompt {n} contains bytes that are not valid characters; enter it again.</source>
   <translation>第 {n} 个探针提示包含无效字符的字节；请重新输入。</translation>
  </message>
  <message>
   <source>Probe prompt {n} is empty; enter a word or two, or remove the line.</source>
   <translation>第 {n} 个探针提示为空；请输入一两个词，或删除该行。</translation>
  </message>
  <message>
   <source>Probe prompt: next token</source>
   <translation>探针提示：下一个词元</translation>
  </message>
  <message>
   <source>Probe prompt: probabilities of the next token; dashed: entropy, as a share of {most} bits</source>
   <translation>探针提示：下一个词元的概率；虚线：熵占 {most} 比特的比例</translation>
  </message>
  <message>
   <source>Probe prompts</source>
   <translation>探针提示</translation>
  </message>
  <message>
   <source>Probe prompts: there are {n}; at most {most} can be recorded. Remove some.</source>
   <translation>探针提示：共有 {n} 个，最多可记录 {most} 个。请删除一些。</translation>
  </message>
  <message>
   <source>Problem</source>
   <translation>问题</translation>
  </message>
  <message>
   <source>Processes each token separately.</source>
   <translation>逐个词元单独处理。</translation>
  </message>
  <message>
   <source>Progress</source>
   <translation>进度</translation>
  </message>
  <message>
   <source>Projector mode</source>
   <translation>投影模式</translation>
  </message>
  <message>
   <source>Prompt</source>
   <translation>提示词</translation>
  </message>
  <message>
   <source>Prompt is empty. Type a word or two to continue.</source>
   <translation>提示词为空。请输入一两个词作为开头。</translation>
  </message>
  <message>
   <source>Pruned</source>
   <translation>已剪枝</translation>
  </message>
  <message>
   <source>Pruned by the beam search; sum of log-probabilities {sum} nats</source>
   <translation>已被束搜索剪去；对数概率之和 {sum} nat</translation>
  </message>
  <message>
   <source>Published GPT-2 models</source>
   <translation>已发布的 GPT-2 模型</translation>
  </message>
  <message>
   <source>Puts it into the field; Ctrl+Z there brings the former back</source>
   <translation>填入输入框；在那里按 Ctrl+Z 可恢复原值</translation>
  </message>
  <message>
   <source>Puts the runs that have failed into the queue once more</source>
   <translation>将失败的训练重新放入队列</translation>
  </message>
  <message>
   <source>PyTorch could not compile this model: {why}. It is trained without being compiled, which takes longer.</source>
   <translation>PyTorch 无法编译这个模型：{why}。将不经编译进行训练，用时更长。</translation>
  </message>
  <message>
   <source>PyTorch drops values in training only; in evaluation all are kept</source>
   <translation>PyTorch 只在训练时丢弃数值，评估时全部保留</translation>
  </message>
  <message>
   <source>Python script (*.py)</source>
   <translation>Python 脚本 (*.py)</translation>
  </message>
  <message>
   <source>Python that computes the numbers of this page without GPT Studio</source>
   <translation>不用 GPT Studio 也能算出本页数字的 Python 代码</translation>
  </message>
  <message>
   <source>QR code of your results</source>
   <translation>结果的二维码</translation>
  </message>
  <message>
   <source>Quantities</source>
   <translation>各项数值</translation>
  </message>
  <message>
   <source>Quantities: what each says of the layers, with a chart. Heat map: a row for each layer, a column for each evaluation.</source>
   <translation>各项数值：每一项对各层的说明，附图表。热图：每层一行，每次评估一列。</translation>
  </message>
  <message>
   <source>Quantity</source>
   <translation>量</translation>
  </message>
  <message>
   <source>Quantity in the heat map</source>
   <translation>热图中的量</translation>
  </message>
  <message>
   <source>Queries</source>
   <translation>查询</translation>
  </message>
  <message>
   <source>Queries, split into heads</source>
   <translation>查询，拆分到各头</translation>
  </message>
  <message>
   <source>Query</source>
   <translation>查询</translation>
  </message>
  <message>
   <source>Query ({query}) must be between 1 and the number of words ({count}).</source>
   <translation>查询（{query}）必须在 1 到词数（{count}）之间。</translation>
  </message>
  <message>
   <source>Query, key, value bias</source>
   <translation>查询、键、值的偏置</translation>
  </message>
  <message>
   <source>Question</source>
   <translation>问题</translation>
  </message>
  <message>
   <source>Questions that most learners got wrong come first</source>
   <translation>错得最多的问题在前</translation>
  </message>
  <message>
   <source>Quit</source>
   <translation>退出</translation>
  </message>
  <message>
   <source>Random guessing among all {n} tokens costs {bits} bits per token. The model needed {share} of that.</source>
   <translation>在全部 {n} 个词元中随机猜测，每个词元要 {bits} 比特。模型用了其中的 {share}。</translation>
  </message>
  <message>
   <source>Random seed</source>
   <translation>随机种子</translation>
  </message>
  <message>
   <source>Random seeds</source>
   <translation>随机种子数</translation>
  </message>
  <message>
   <source>Random seeds: {count}. Line: median. Band: 10th to 90th percentile.</source>
   <translation>{count} 个随机种子。线：中位数。带：第 10 至第 90 百分位。</translation>
  </message>
  <message>
   <source>Random weights, before training</source>
   <translation>随机权重，训练之前</translation>
  </message>
  <message>
   <source>Range</source>
   <translation>范围</translation>
  </message>
  <message>
   <source>Rank</source>
   <translation>排名</translation>
  </message>
  <message>
   <source>Rank {n}</source>
   <translation>排名 {n}</translation>
  </message>
  <message>
   <source>Rank {n} of the {k} that are kept</source>
   <translation>在保留的 {k} 个中排名 {n}</translation>
  </message>
  <message>
   <source>Rate</source>
   <translation>丢弃率</translation>
  </message>
  <message>
   <source>Rate too high for SGD</source>
   <translation>对 SGD 过高的学习率</translation>
  </message>
  <message>
   <source>ReLU</source>
   <translation>ReLU</translation>
  </message>
  <message>
   <source>ReLU of x is the larger of 0 and x</source>
   <translation>ReLU(x) 是 0 与 x 中较大者</translation>
  </message>
  <message>
   <source>ReLU outputs 0 for every negative number, and its slope there is 0: a neuron stuck there learns nothing.</source>
   <translation>ReLU 对所有负数输出 0，那里的斜率也是 0：停在那里的神经元学不到东西。</translation>
  </message>
  <message>
   <source>Read</source>
   <translation>阅读</translation>
  </message>
  <message>
   <source>Read the chosen token as</source>
   <translation>将所选词元读作</translation>
  </message>
  <message>
   <source>Read the text, as much of it as fits into the context. Take the logits of the last position. The largest belongs to the next token; argmax gives its ID. Append it, and read again.</source>
   <translation>读取文本，上下文能容纳多少就读多少。取最后一个位置的 logits，其中最大的属于下一个词元；argmax 给出它的 ID。把它接在后面，再读一遍。</translation>
  </message>
  <message>
   <source>Read “{token}” as</source>
   <translation>将“{token}”读作</translation>
  </message>
  <message>
   <source>Reading and writing…</source>
   <translation>正在读取和写入…</translation>
  </message>
  <message>
   <source>Reading texts</source>
   <translation>正在读取文本</translation>
  </message>
  <message>
   <source>Reading the contents…</source>
   <translation>正在读取内容…</translation>
  </message>
  <message>
   <source>Reading the logs of {n} runs</source>
   <translation>正在读取 {n} 次训练的日志</translation>
  </message>
  <message>
   <source>Reading the runs of a class</source>
   <translation>正在读取全班的训练</translation>
  </message>
  <message>
   <source>Reading the text…</source>
   <translation>正在读取文本…</translation>
  </message>
  <message>
   <source>Reading the training text</source>
   <translation>正在读取训练文本</translation>
  </message>
  <message>
   <source>Reading the training text was cancelled.</source>
   <translation>已取消读取训练文本。</translation>
  </message>
  <message>
   <source>Reading the training text…</source>
   <translation>正在读取训练文本…</translation>
  </message>
  <message>
   <source>Reading {name}</source>
   <translation>正在读取 {name}</translation>
  </message>
  <message>
   <source>Reads all reports and packed runs in a folder and the folders in it</source>
   <translation>读取文件夹及其子文件夹中的所有报告和打包的训练</translation>
  </message>
  <message>
   <source>Reads the reports and packed runs you choose</source>
   <translation>读取你选择的报告和打包的训练记录</translation>
  </message>
  <message>
   <source>Reads the token itself again</source>
   <translation>重新读取原来的词元</translation>
  </message>
  <message>
   <source>Recent files</source>
   <translation>最近的文件</translation>
  </message>
  <message>
   <source>Recompute activations</source>
   <translation>重新计算激活值</translation>
  </message>
  <message>
   <source>Recompute activations is on, but reference arithmetic computes as the book's code does, which keeps them; turn off one of the two.</source>
   <translation>“重新计算激活值”已打开，但参考运算与书中代码的计算一致，会保留激活值；请关闭其中一个。</translation>
  </message>
  <message>
   <source>Record</source>
   <translation>录制</translation>
  </message>
  <message>
   <source>Recorded on {cores} cores on {day}: {text}, seeds: {seeds}</source>
   <translation>{day} 在 {cores} 个核心上记录：{text}，种子数：{seeds}</translation>
  </message>
  <message>
   <source>Recorded runs</source>
   <translation>记录的训练</translation>
  </message>
  <message>
   <source>Recovered share</source>
   <translation>恢复份额</translation>
  </message>
  <message>
   <source>Recovered share: how far the logit difference between answer and wrong token returns from the corrupted (0) to the clean run (1).</source>
   <translation>恢复份额：答案与错误词元的 logit 之差从受损运行（0）回到干净运行（1）的程度。</translation>
  </message>
  <message>
   <source>Redo</source>
   <translation>重做</translation>
  </message>
  <message>
   <source>Redoes the undone change (Ctrl+Shift+Z)</source>
   <translation>重做撤销的更改（Ctrl+Shift+Z）</translation>
  </message>
  <message>
   <source>Reduced motion</source>
   <translation>减少动画</translation>
  </message>
  <message>
   <source>Reference arithmetic</source>
   <translation>参考运算</translation>
  </message>
  <message>
   <source>Relation</source>
   <translation>关系</translation>
  </message>
  <message>
   <source>Releases</source>
   <translation>发布页</translation>
  </message>
  <message>
   <source>Remove</source>
   <translation>移除</translation>
  </message>
  <message>
   <source>Remove a layer</source>
   <translation>减少一层</translation>
  </message>
  <message>
   <source>Remove from list</source>
   <translation>从列表中移除</translation>
  </message>
  <message>
   <source>Remove the last column</source>
   <translation>删除最后一列</translation>
  </message>
  <message>
   <source>Remove the last row</source>
   <translation>删除最后一行</translation>
  </message>
  <message>
   <source>Removed before top-p</source>
   <translation>在 top-p 之前已去除</translation>
  </message>
  <message>
   <source>Removed by {stage}: 0</source>
   <translation>已去除（{stage}）：0</translation>
  </message>
  <message>
   <source>Removed {path} from the list. The files stay where they are.</source>
   <translation>已从列表中移除 {path}。文件留在原处。</translation>
  </message>
  <message>
   <source>Removed: rank {n}; only the {k} most likely are kept</source>
   <translation>去除：排名 {n}，而只保留最可能的 {k} 个</translation>
  </message>
  <message>
   <source>Removed: temperature 0 keeps only the most likely token</source>
   <translation>已移除：温度为 0 时只保留最可能的词元</translation>
  </message>
  <message>
   <source>Removes all changes</source>
   <translation>移除所有改动</translation>
  </message>
  <message>
   <source>Removes it from this list (Del); the file stays where it is</source>
   <translation>从列表中移除（Del）；文件留在原处</translation>
  </message>
  <message>
   <source>Removes this name</source>
   <translation>删除此名称</translation>
  </message>
  <message>
   <source>Removes {what} from here on (Delete). You can undo this.</source>
   <translation>从这里起移除{what}（Delete）。可以撤销。</translation>
  </message>
  <message>
   <source>Rename</source>
   <translation>重命名</translation>
  </message>
  <message>
   <source>Rename or remove imported models</source>
   <translation>重命名或移除导入的模型</translation>
  </message>
  <message>
   <source>Renames the run; its folder keeps its name</source>
   <translation>给这次训练换个名称；文件夹名不变</translation>
  </message>
  <message>
   <source>Renames the selected branch (F2).</source>
   <translation>重命名选中的分支（F2）。</translation>
  </message>
  <message>
   <source>Renormalise rows</source>
   <translation>各行重新归一化</translation>
  </message>
  <message>
   <source>Rep.</source>
   <translation>重复惩罚</translation>
  </message>
  <message>
   <source>Repeated sequence: what came after green?</source>
   <translation>重复序列：green 之后是什么？</translation>
  </message>
  <message>
   <source>Repeats</source>
   <translation>重复</translation>
  </message>
  <message>
   <source>Repetition</source>
   <translation>重复惩罚</translation>
  </message>
  <message>
   <source>Repetition penalty</source>
   <translation>重复惩罚系数</translation>
  </message>
  <message>
   <source>Replace</source>
   <translation>替换</translation>
  </message>
  <message>
   <source>Replace by</source>
   <translation>替换为</translation>
  </message>
  <message>
   <source>Replace my home folder by ~ and my user name by USER</source>
   <translation>用 ~ 代替我的主文件夹，用 USER 代替我的用户名</translation>
  </message>
  <message>
   <source>Report a problem</source>
   <translation>报告问题</translation>
  </message>
  <message>
   <source>Report a problem…</source>
   <translation>报告问题…</translation>
  </message>
  <message>
   <source>Report of a training run of {created}, written on {now}</source>
   <translation>{created} 的训练报告，生成于 {now}</translation>
  </message>
  <message>
   <source>Report of lessons, written on {now}</source>
   <translation>课程报告，生成于 {now}</translation>
  </message>
  <message>
   <source>Report written with</source>
   <translation>生成报告所用版本</translation>
  </message>
  <message>
   <source>Reports and packed runs (*.html *.htm *.zip)</source>
   <translation>报告和打包的训练 (*.html *.htm *.zip)</translation>
  </message>
  <message>
   <source>Report…</source>
   <translation>报告…</translation>
  </message>
  <message>
   <source>Reset</source>
   <translation>重置</translation>
  </message>
  <message>
   <source>Reset for the next class</source>
   <translation>为下一个班重置</translation>
  </message>
  <message>
   <source>Reset for the next class…</source>
   <translation>为下一个班重置…</translation>
  </message>
  <message>
   <source>Reset to the book's example</source>
   <translation>恢复书中的示例</translation>
  </message>
  <message>
   <source>Reset to the first example</source>
   <translation>恢复为第一个示例</translation>
  </message>
  <message>
   <source>Reset to the recorded run</source>
   <translation>恢复为记录的训练</translation>
  </message>
  <message>
   <source>Residual</source>
   <translation>残差</translation>
  </message>
  <message>
   <source>Residual stream after it (L2 norm): {size}</source>
   <translation>此后的残差流（L2 范数）：{size}</translation>
  </message>
  <message>
   <source>Residual stream before the final norm: {size}</source>
   <translation>最后归一化之前的残差流：{size}</translation>
  </message>
  <message>
   <source>Restart now</source>
   <translation>立即重新启动</translation>
  </message>
  <message>
   <source>Restore checkpoint</source>
   <translation>还原检查点</translation>
  </message>
  <message>
   <source>Restore from trash</source>
   <translation>从回收站还原</translation>
  </message>
  <message>
   <source>Restore the last session</source>
   <translation>恢复上次会话</translation>
  </message>
  <message>
   <source>Restored the checkpoint after step {n}.</source>
   <translation>已还原第 {n} 步之后的检查点。</translation>
  </message>
  <message>
   <source>Restored the run “{run}”.</source>
   <translation>已还原训练“{run}”。</translation>
  </message>
  <message>
   <source>Restores the window as it was before the lesson</source>
   <translation>把窗口恢复到课程之前的样子</translation>
  </message>
  <message>
   <source>Result</source>
   <translation>结果</translation>
  </message>
  <message>
   <source>Results</source>
   <translation>结果</translation>
  </message>
  <message>
   <source>Retry failed</source>
   <translation>重试失败的训练</translation>
  </message>
  <message>
   <source>Returns to the text so that you can change it or paste another</source>
   <translation>返回文本，修改它或粘贴另一段</translation>
  </message>
  <message>
   <source>Right</source>
   <translation>右</translation>
  </message>
  <message>
   <source>Right answer</source>
   <translation>正确答案</translation>
  </message>
  <message>
   <source>Right answer: {truth}.</source>
   <translation>答案：{truth}。</translation>
  </message>
  <message>
   <source>Right branch</source>
   <translation>右侧分支</translation>
  </message>
  <message>
   <source>Right click: its experiment in Learn</source>
   <translation>右键单击：“学习”中的相关实验</translation>
  </message>
  <message>
   <source>Right guesses in lessons; packed runs contain none</source>
   <translation>课程中猜对的题数；打包的训练不含猜测</translation>
  </message>
  <message>
   <source>Right guesses: {n} of {count}.</source>
   <translation>猜对：{n} / {count}。</translation>
  </message>
  <message>
   <source>Right-hand model</source>
   <translation>右侧模型</translation>
  </message>
  <message>
   <source>Rings and highlights appear at once instead of moving into place.</source>
   <translation>圆环和高亮直接出现，不再移动到位。</translation>
  </message>
  <message>
   <source>Rollout</source>
   <translation>Rollout（逐层累乘）</translation>
  </message>
  <message>
   <source>Row {row}, number {at}: {value}. This is the row being looked up.</source>
   <translation>第 {row} 行，第 {at} 个数：{value}。查的就是这一行。</translation>
  </message>
  <message>
   <source>Row {row}, number {at}: {value}. This row is not looked up here.</source>
   <translation>第 {row} 行，第 {at} 个数：{value}。这里没有查这一行。</translation>
  </message>
  <message>
   <source>Row “{word}”: with the mask before the softmax, the softmax divides by {seen}, the sum over the words up to it (words: {count}). With the mask after the softmax, it divides by {all}, the sum over all words ({every}), later ones included.</source>
   <translation>“{word}”一行：先掩码时，softmax 的除数是 {seen}，即到它为止的 {count} 个词之和；后掩码时，softmax 的除数是 {all}，即全部 {every} 个词之和，包括后面的词。</translation>
  </message>
  <message>
   <source>Rows of numbers, one row per example; all rows must have the same length.</source>
   <translation>若干行数，每个样本一行；各行长度必须相同。</translation>
  </message>
  <message>
   <source>Rows of numbers; all rows must have the same length.</source>
   <translation>若干行数；各行长度必须相同。</translation>
  </message>
  <message>
   <source>Rows of the position matrix: one per position.</source>
   <translation>位置矩阵的行数：每个位置一行。</translation>
  </message>
  <message>
   <source>Rows of the token matrix: one per token of the vocabulary.</source>
   <translation>词元矩阵的行数：词表中每个词元一行。</translation>
  </message>
  <message>
   <source>Run</source>
   <translation>训练</translation>
  </message>
  <message>
   <source>Run again with other values</source>
   <translation>换用其他取值再训练</translation>
  </message>
  <message>
   <source>Run again with…</source>
   <translation>换用其他取值再训练…</translation>
  </message>
  <message>
   <source>Run again…</source>
   <translation>再训练一次…</translation>
  </message>
  <message>
   <source>Run as Python script…</source>
   <translation>训练存为 Python 脚本…</translation>
  </message>
  <message>
   <source>Run as zip</source>
   <translation>训练打包为 zip</translation>
  </message>
  <message>
   <source>Run as zip…</source>
   <translation>训练打包为 zip…</translation>
  </message>
  <message>
   <source>Run created</source>
   <translation>训练创建于</translation>
  </message>
  <message>
   <source>Running sum: the probabilities of this token and of all that are more likely, as top-p gets them, after the stages before it. Top-p keeps tokens until the sum reaches its value.</source>
   <translation>累计概率：这个词元与所有更可能的词元的概率之和，取 top-p 得到的概率，即在它之前的各阶段之后的概率。top-p 保留词元，直到累计达到它的值。</translation>
  </message>
  <message>
   <source>Running the model again…</source>
   <translation>正在重新运行模型…</translation>
  </message>
  <message>
   <source>Running the model…</source>
   <translation>正在运行模型…</translation>
  </message>
  <message>
   <source>Runs</source>
   <translation>训练记录</translation>
  </message>
  <message>
   <source>Runs by their best validation loss</source>
   <translation>按最佳验证损失排列的训练</translation>
  </message>
  <message>
   <source>Runs of the class</source>
   <translation>全班的训练</translation>
  </message>
  <message>
   <source>Runs of the sweep that have ended</source>
   <translation>参数扫描中已结束的训练</translation>
  </message>
  <message>
   <source>Runs that need more memory than is free, and will fail: {n}.</source>
   <translation>所需内存超过可用内存、将会失败的训练：{n}。</translation>
  </message>
  <message>
   <source>Runs the model once for each cell of the map</source>
   <translation>为图中的每个格子运行一次模型</translation>
  </message>
  <message>
   <source>Runs the model once without each head and each feed-forward network</source>
   <translation>对每个注意力头和前馈网络，各在去掉它的情况下运行一次模型</translation>
  </message>
  <message>
   <source>Runs: {n}</source>
   <translation>{n} 次训练</translation>
  </message>
  <message>
   <source>Runs: {n}; files that could not be read: {failed}</source>
   <translation>{n} 次训练；无法读取的文件：{failed} 个</translation>
  </message>
  <message>
   <source>Runs: {runs}; lessons begun: {lessons}; {size} in all. The text and the layout of the window are reset, too, and the name of the learner is forgotten. Imported models, texts and preferences stay.</source>
   <translation>训练：{runs}；已开始的课程：{lessons}；共 {size}。窗口中的文本和布局也会重置，学习者的名字会被忘记。导入的模型、文本集和偏好设置保留。</translation>
  </message>
  <message>
   <source>SGD rate</source>
   <translation>SGD 学习率</translation>
  </message>
  <message>
   <source>SGD with momentum adds up the gradients, and lets older ones fade. A rate that is right across the valley is too low along it; above 2(1 + μ) divided by the steepness, it climbs out.</source>
   <translation>带动量的 SGD 累加梯度，越早的越弱。横向合适的学习率，纵向就太低；超过 2(1 + μ) 除以陡度，就会爬出山谷。</translation>
  </message>
  <message>
   <source>SHA-256 of the text</source>
   <translation>文本的 SHA-256</translation>
  </message>
  <message>
   <source>Same settings in all {n} runs</source>
   <translation>这 {n} 次训练的设置相同</translation>
  </message>
  <message>
   <source>Same structure as block 1, with separate weights.</source>
   <translation>结构与第 1 块相同，权重各自独立。</translation>
  </message>
  <message>
   <source>Same text so far</source>
   <translation>到目前为止两段文本相同</translation>
  </message>
  <message>
   <source>Sample</source>
   <translation>样本选择</translation>
  </message>
  <message>
   <source>Sample length</source>
   <translation>样本长度</translation>
  </message>
  <message>
   <source>Sample prompt</source>
   <translation>样本提示词</translation>
  </message>
  <message>
   <source>Sample prompt is empty; enter a word or two, or set Sample length to 0.</source>
   <translation>样本提示词为空；请写一两个词，或把样本长度设为 0。</translation>
  </message>
  <message>
   <source>Sample then: {text}</source>
   <translation>当时的样本：{text}</translation>
  </message>
  <message>
   <source>Sampled with probability {p}, after sampling settings</source>
   <translation>采样概率 {p}（应用采样参数之后）</translation>
  </message>
  <message>
   <source>Samples</source>
   <translation>样本</translation>
  </message>
  <message>
   <source>Samples only from the smallest set of most likely tokens whose probabilities add up to this value.</source>
   <translation>只从概率之和达到此值的最小的最可能词元集合中采样。</translation>
  </message>
  <message>
   <source>Samples only from the tokens whose surprisal is nearest to the entropy and whose probabilities add up to this value (locally typical sampling).</source>
   <translation>只从惊讶度最接近熵、且概率之和达到该值的词元中采样（局部典型采样）。</translation>
  </message>
  <message>
   <source>Samples only from this many of the most likely tokens, or leave empty for all.</source>
   <translation>只从最可能的这么多个词元中采样。留空：从全部中采样。</translation>
  </message>
  <message>
   <source>Samples only from tokens whose probability is at least this share of the highest one.</source>
   <translation>只从概率不低于最高概率这一比例的词元中采样。</translation>
  </message>
  <message>
   <source>Samples, probe prompts, health, last step, checkpoints</source>
   <translation>样本、探针提示、健康状况、上一步、检查点</translation>
  </message>
  <message>
   <source>Sampling</source>
   <translation>采样</translation>
  </message>
  <message>
   <source>Sampling settings</source>
   <translation>采样参数</translation>
  </message>
  <message>
   <source>Save</source>
   <translation>保存</translation>
  </message>
  <message>
   <source>Save as CSV…</source>
   <translation>保存为 CSV…</translation>
  </message>
  <message>
   <source>Save as HTML…</source>
   <translation>另存为 HTML…</translation>
  </message>
  <message>
   <source>Save as PDF…</source>
   <translation>保存为 PDF…</translation>
  </message>
  <message>
   <source>Save as SVG…</source>
   <translation>另存为 SVG…</translation>
  </message>
  <message>
   <source>Save as zip…</source>
   <translation>存为 zip…</translation>
  </message>
  <message>
   <source>Save every (epochs)</source>
   <translation>保存间隔（轮）</translation>
  </message>
  <message>
   <source>Save every (s)</source>
   <translation>保存间隔（秒）</translation>
  </message>
  <message>
   <source>Save probabilities as CSV…</source>
   <translation>把概率另存为 CSV…</translation>
  </message>
  <message>
   <source>Save text and settings</source>
   <translation>保存文本和设置</translation>
  </message>
  <message>
   <source>Save to</source>
   <translation>保存到</translation>
  </message>
  <message>
   <source>Save tree</source>
   <translation>保存分支树</translation>
  </message>
  <message>
   <source>Save tree…</source>
   <translation>保存分支树…</translation>
  </message>
  <message>
   <source>Saved after step {n}</source>
   <translation>已在第 {n} 步后保存</translation>
  </message>
  <message>
   <source>Saved in {folder}.</source>
   <translation>保存在 {folder}。</translation>
  </message>
  <message>
   <source>Saved {path}</source>
   <translation>已保存 {path}</translation>
  </message>
  <message>
   <source>Saved {path} ({size})</source>
   <translation>已保存 {path}（{size}）</translation>
  </message>
  <message>
   <source>Saved {path} and, beside it, the text {text}</source>
   <translation>已保存 {path}，旁边是文本 {text}</translation>
  </message>
  <message>
   <source>Saved {path}. You can send it to the person who helps you.</source>
   <translation>已保存 {path}。可以把它发给帮助你的人。</translation>
  </message>
  <message>
   <source>Saves all branches in the model's run folder.</source>
   <translation>把所有分支保存到该模型的训练文件夹。</translation>
  </message>
  <message>
   <source>Saves all branches to a file of your choice.</source>
   <translation>把所有分支保存到你指定的文件。</translation>
  </message>
  <message>
   <source>Saves every figure of the map as a table</source>
   <translation>把图中的每个数值保存为表格</translation>
  </message>
  <message>
   <source>Saves everything, closes GPT Studio, and opens it again in the chosen language</source>
   <translation>保存全部内容，关闭 GPT Studio，然后以所选语言重新打开</translation>
  </message>
  <message>
   <source>Saves the lesson as a TOML file</source>
   <translation>把课程保存为 TOML 文件</translation>
  </message>
  <message>
   <source>Saves the readings of this prompt as a table</source>
   <translation>将此提示词的读数保存为表格</translation>
  </message>
  <message>
   <source>Saves the report where you choose</source>
   <translation>把报告保存到你选择的位置</translation>
  </message>
  <message>
   <source>Saves the table for a spreadsheet</source>
   <translation>把表格保存为电子表格可以打开的文件</translation>
  </message>
  <message>
   <source>Saves the table of results for a spreadsheet</source>
   <translation>将结果表格保存为电子表格可用的文件</translation>
  </message>
  <message>
   <source>Saves this page as a picture or a drawing, or its numbers as a table</source>
   <translation>把本页保存为图片或矢量图，或把数字保存为表格</translation>
  </message>
  <message>
   <source>Saves values, charts or whole runs as files</source>
   <translation>把数值、图表或整次训练保存为文件</translation>
  </message>
  <message>
   <source>Saves what you paste as a text to train on</source>
   <translation>把粘贴的内容保存为训练文本</translation>
  </message>
  <message>
   <source>Save…</source>
   <translation>保存…</translation>
  </message>
  <message>
   <source>Saving</source>
   <translation>正在保存</translation>
  </message>
  <message>
   <source>Scale</source>
   <translation>缩放</translation>
  </message>
  <message>
   <source>Scaled</source>
   <translation>缩放后</translation>
  </message>
  <message>
   <source>Scales each row to mean 0 and variance 1.</source>
   <translation>把每一行归一化为均值 0、方差 1。</translation>
  </message>
  <message>
   <source>Scales each token's numbers to mean 0 and variance 1 one last time.</source>
   <translation>最后一次把每个词元的数归一化为均值 0、方差 1。</translation>
  </message>
  <message>
   <source>Scales each token's numbers to mean 0 and variance 1.</source>
   <translation>把每个词元的数归一化为均值 0、方差 1。</translation>
  </message>
  <message>
   <source>Scaling laws</source>
   <translation>规模定律</translation>
  </message>
  <message>
   <source>Schedule</source>
   <translation>学习率调度</translation>
  </message>
  <message>
   <source>Score</source>
   <translation>分数</translation>
  </message>
  <message>
   <source>Score a text</source>
   <translation>给文本打分</translation>
  </message>
  <message>
   <source>Score again</source>
   <translation>重新打分</translation>
  </message>
  <message>
   <source>Score heads</source>
   <translation>给头评分</translation>
  </message>
  <message>
   <source>Score of each head; use the arrow keys to move</source>
   <translation>每个头的分数；用方向键移动</translation>
  </message>
  <message>
   <source>Score one text with each…</source>
   <translation>用每个模型给同一文本评分…</translation>
  </message>
  <message>
   <source>Scored by {model}, up to token {done} of {all}.</source>
   <translation>由 {model} 打分到第 {done} 个词元，共 {all} 个。</translation>
  </message>
  <message>
   <source>Scored by {model}.</source>
   <translation>由 {model} 打分。</translation>
  </message>
  <message>
   <source>Scores</source>
   <translation>分数</translation>
  </message>
  <message>
   <source>Scores: queries times keys</source>
   <translation>分数：查询乘以键</translation>
  </message>
  <message>
   <source>Scoring a text</source>
   <translation>正在给文本打分</translation>
  </message>
  <message>
   <source>Scoring progress</source>
   <translation>打分进度</translation>
  </message>
  <message>
   <source>Scoring with {model}: {done} of {all} tokens</source>
   <translation>{model} 正在打分：{done} / {all} 个词元</translation>
  </message>
  <message>
   <source>Search</source>
   <translation>搜索</translation>
  </message>
  <message>
   <source>Search commands</source>
   <translation>搜索命令</translation>
  </message>
  <message>
   <source>Search commands, settings, pages, runs and terms</source>
   <translation>搜索命令、设置、页面、训练和术语</translation>
  </message>
  <message>
   <source>Search commands…</source>
   <translation>搜索命令…</translation>
  </message>
  <message>
   <source>Search the manual</source>
   <translation>搜索手册</translation>
  </message>
  <message>
   <source>Searches commands, settings, pages, runs and terms</source>
   <translation>搜索命令、设置、页面、训练和术语</translation>
  </message>
  <message>
   <source>Searches for the most probable continuation of the chosen token, and compares decoding strategies.</source>
   <translation>从选中的词元起搜索最可能的续写，并比较各种解码策略。</translation>
  </message>
  <message>
   <source>Searches for the most probable continuation of: {text}</source>
   <translation>搜索最可能的续写，起点：{text}</translation>
  </message>
  <message>
   <source>Second sentence</source>
   <translation>第二句</translation>
  </message>
  <message>
   <source>Second text</source>
   <translation>第二个文本</translation>
  </message>
  <message>
   <source>Second text: the number of tokens is {count}, but that of Text is {first}. All rows of a batch must have the same length.</source>
   <translation>“第二个文本”有 {count} 个词元，而“文本”有 {first} 个。一个批次的各行长度必须相同。</translation>
  </message>
  <message>
   <source>Seconds between checkpoints; more if saving takes long. A new lowest validation loss is saved sooner.</source>
   <translation>两个检查点之间的秒数；如果保存耗时较长，则间隔更长。出现新的最低验证损失时会提前保存。</translation>
  </message>
  <message>
   <source>Seed</source>
   <translation>种子</translation>
  </message>
  <message>
   <source>Seed for all random numbers: the same seed gives the same run.</source>
   <translation>所有随机数的种子：同一种子得到同样的训练。</translation>
  </message>
  <message>
   <source>Seed for sampling, and for the weights of an untrained model: the same seed gives the same result.</source>
   <translation>用于采样和未训练模型权重的种子：相同的种子得到相同的结果。</translation>
  </message>
  <message>
   <source>Seed set once for both networks</source>
   <translation>两个网络只设一次种子</translation>
  </message>
  <message>
   <source>Seeds</source>
   <translation>种子数</translation>
  </message>
  <message>
   <source>Select a branch after a fork. The beginning that all branches share cannot be removed.</source>
   <translation>请选中分岔点之后的分支。所有分支共有的开头不能移除。</translation>
  </message>
  <message>
   <source>Select a branch first.</source>
   <translation>请先选择一个分支。</translation>
  </message>
  <message>
   <source>Select a checkpoint in the list first.</source>
   <translation>请先在列表中选择一个检查点。</translation>
  </message>
  <message>
   <source>Select a model in the list first.</source>
   <translation>请先在列表中选择一个模型。</translation>
  </message>
  <message>
   <source>Select a run in the list of runs, and choose “Run again with…” in the menu “More” to train it with several values of a setting.</source>
   <translation>请在训练列表中选择一次训练，再在“更多”菜单中选择“换用其他取值再训练…”，用某个设置的多个取值训练它。</translation>
  </message>
  <message>
   <source>Select a run that has begun.</source>
   <translation>请选择一次已开始的训练。</translation>
  </message>
  <message>
   <source>Select a text with its check box first.</source>
   <translation>请先用复选框选中文本。</translation>
  </message>
  <message>
   <source>Select a token first.</source>
   <translation>请先选择一个词元。</translation>
  </message>
  <message>
   <source>Select at least one part first.</source>
   <translation>请至少选择一个部分。</translation>
  </message>
  <message>
   <source>Select one or more runs with their check boxes first.</source>
   <translation>请先用复选框选中训练。</translation>
  </message>
  <message>
   <source>Select runs with their check boxes to overlay their curves.</source>
   <translation>用复选框选中训练，把曲线叠在一起比较。</translation>
  </message>
  <message>
   <source>Select to compare</source>
   <translation>选中以比较</translation>
  </message>
  <message>
   <source>Selected sequence</source>
   <translation>选中的序列</translation>
  </message>
  <message>
   <source>Selected token</source>
   <translation>选中的词元</translation>
  </message>
  <message>
   <source>Selects it on the Generate tab</source>
   <translation>在“生成”页选中它</translation>
  </message>
  <message>
   <source>Selects the run in the list of runs</source>
   <translation>在训练列表中选中它</translation>
  </message>
  <message>
   <source>Selects what the colours show</source>
   <translation>选择颜色表示什么</translation>
  </message>
  <message>
   <source>Send to a friend</source>
   <translation>发送给朋友</translation>
  </message>
  <message>
   <source>Sentence</source>
   <translation>句子</translation>
  </message>
  <message>
   <source>Separated by spaces; as many words as there are rows of numbers.</source>
   <translation>以空格隔开，个数与数字的行数相同。</translation>
  </message>
  <message>
   <source>Sequence {row}, position {place}: ID {id}, so row {id} of E plus row {place} of P.</source>
   <translation>序列 {row}，位置 {place}：ID 为 {id}，所以取 E 的第 {id} 行，加上 P 的第 {place} 行。</translation>
  </message>
  <message>
   <source>Set all targets to</source>
   <translation>所有目标设为</translation>
  </message>
  <message>
   <source>Set on Generate: {value}.</source>
   <translation>“生成”页中的设置：{value}。</translation>
  </message>
  <message>
   <source>Set seed</source>
   <translation>设置随机种子</translation>
  </message>
  <message>
   <source>Setting</source>
   <translation>设置</translation>
  </message>
  <message>
   <source>Setting {n}</source>
   <translation>设置 {n}</translation>
  </message>
  <message>
   <source>Settings</source>
   <translation>设置</translation>
  </message>
  <message>
   <source>Settings and log only</source>
   <translation>仅设置和日志</translation>
  </message>
  <message>
   <source>Settings changed: train these sizes to see their losses.</source>
   <translation>设置已更改：训练这些规模即可看到它们的损失。</translation>
  </message>
  <message>
   <source>Settings in force: model, training, generation, and those of this computer</source>
   <translation>生效的设置：模型、训练、生成，以及这台电脑的设置</translation>
  </message>
  <message>
   <source>Settings of this computer: {path}</source>
   <translation>本机设置：{path}</translation>
  </message>
  <message>
   <source>Seven IDs</source>
   <translation>七个 ID</translation>
  </message>
  <message>
   <source>Several attention heads work side by side, each with its own three matrices, so they can look for different things. Each computes its own context vector; these are concatenated and passed to the next layer.</source>
   <translation>多个注意力头并行工作，各有自己的三个矩阵，因此可以关注不同的东西。每个头算出自己的上下文向量；这些向量拼接起来，交给下一层。</translation>
  </message>
  <message>
   <source>Several texts at once, because the best first word can mislead.</source>
   <translation>同时保留几段文本，因为最好的第一个词可能误导。</translation>
  </message>
  <message>
   <source>Shapes</source>
   <translation>形状</translation>
  </message>
  <message>
   <source>Shapes are (texts, tokens, numbers); inside attention, (texts, heads, tokens, numbers). They are read from the model itself, which is built here with shapes only, without numbers, so even the largest model takes no time.</source>
   <translation>形状为（文本，词元，数），在注意力内部为（文本，头，词元，数）。形状直接取自模型本身；这里的模型只有形状，没有数值，所以再大的模型也不费时间。</translation>
  </message>
  <message>
   <source>Shapes need no numbers and appear at once. Logits need all the weights: this takes seconds and a lot of memory.</source>
   <translation>形状不需要数值，立刻得到。logits 需要全部权重：要花几秒钟和大量内存。</translation>
  </message>
  <message>
   <source>Share of each sample's tokens in stretches of five or more that occur word for word in the training text</source>
   <translation>每个样本中，属于一字不差地出现在训练文本里的五个或更多词元片段的词元所占比例</translation>
  </message>
  <message>
   <source>Share of its output</source>
   <translation>输出比例</translation>
  </message>
  <message>
   <source>Share of its sequences of 4 tokens that occurred in it before (seq-rep-4; Welleck et al., 2020)</source>
   <translation>文本中之前出现过的四词元序列所占的比例（seq-rep-4；Welleck 等，2020）</translation>
  </message>
  <message>
   <source>Share of the contexts that each table has seen</source>
   <translation>每张表见过的上下文的比例</translation>
  </message>
  <message>
   <source>Share of the last sample that occurs word for word in the training text</source>
   <translation>最后一个样本中与训练文本逐字相同的比例</translation>
  </message>
  <message>
   <source>Share of the text used for training; the rest is used only for validation.</source>
   <translation>用于训练的文本比例；其余只用于验证。</translation>
  </message>
  <message>
   <source>Share of the units in a feed-forward network whose activation is about zero at every measured token: they do nothing there, and hardly learn.</source>
   <translation>前馈网络中，在每个测量词元上激活值都约为零的单元所占比例：它们在那里不起作用，也几乎不再学习。</translation>
  </message>
  <message>
   <source>Share of this component's output that is passed on: 0 % is off, 100 % as it is</source>
   <translation>该组件的输出有多少继续传递：0 % 为关闭，100 % 为原样</translation>
  </message>
  <message>
   <source>Share of values set to zero at random during training, to reduce memorising.</source>
   <translation>训练时随机置零的值所占的比例，用来减少对训练文本的记忆。</translation>
  </message>
  <message>
   <source>Shared tokens: {n}; then {one} and {other}.</source>
   <translation>前 {n} 个词元相同，之后分别是 {one} 和 {other}。</translation>
  </message>
  <message>
   <source>Sharpest: {layer}, which looks at almost one token only ({low} of at most {most} bits).</source>
   <translation>最集中：{layer}，几乎只看一个词元（{low} 比特，最多可达 {most}）。</translation>
  </message>
  <message>
   <source>Shift</source>
   <translation>平移</translation>
  </message>
  <message>
   <source>Shift starting at 0</source>
   <translation>平移从 0 开始</translation>
  </message>
  <message>
   <source>Shift starting at 1</source>
   <translation>平移从 1 开始</translation>
  </message>
  <message>
   <source>Shortcut dropout</source>
   <translation>快捷连接 Dropout</translation>
  </message>
  <message>
   <source>Shortcuts</source>
   <translation>快捷连接</translation>
  </message>
  <message>
   <source>Show QR code</source>
   <translation>显示二维码</translation>
  </message>
  <message>
   <source>Show all</source>
   <translation>显示全部</translation>
  </message>
  <message>
   <source>Show all controls</source>
   <translation>显示全部控件</translation>
  </message>
  <message>
   <source>Show code</source>
   <translation>显示代码</translation>
  </message>
  <message>
   <source>Show folder</source>
   <translation>显示文件夹</translation>
  </message>
  <message>
   <source>Show in folder</source>
   <translation>在文件夹中显示</translation>
  </message>
  <message>
   <source>Show last score</source>
   <translation>显示上次的打分</translation>
  </message>
  <message>
   <source>Show me around (60 seconds)</source>
   <translation>带我看看（60 秒）</translation>
  </message>
  <message>
   <source>Show only curves and samples</source>
   <translation>只显示曲线和样本</translation>
  </message>
  <message>
   <source>Show passage</source>
   <translation>查看原文</translation>
  </message>
  <message>
   <source>Show pruned beams</source>
   <translation>显示被剪去的束</translation>
  </message>
  <message>
   <source>Show run</source>
   <translation>显示训练</translation>
  </message>
  <message>
   <source>Show without guessing</source>
   <translation>不猜，直接看</translation>
  </message>
  <message>
   <source>Showing positions {a} to {b} of {n} tokens.</source>
   <translation>显示位置 {a} 到 {b}，共 {n} 个词元。</translation>
  </message>
  <message>
   <source>Shown above: tokens {first} to {last}</source>
   <translation>上方显示：词元 {first} 至 {last}</translation>
  </message>
  <message>
   <source>Shown for information: only an administrator can change this file.</source>
   <translation>仅供查看：只有管理员能更改此文件。</translation>
  </message>
  <message>
   <source>Shown in the experiment “{title}”</source>
   <translation>在实验“{title}”中演示</translation>
  </message>
  <message>
   <source>Shows all points again. You can also double-click.</source>
   <translation>重新显示全部的点。双击也可以。</translation>
  </message>
  <message>
   <source>Shows all readings one after the other (Space)</source>
   <translation>依次播放全部读数（空格键）</translation>
  </message>
  <message>
   <source>Shows or hides four more figures</source>
   <translation>显示或隐藏另外四个数值</translation>
  </message>
  <message>
   <source>Shows or hides the chart</source>
   <translation>显示或隐藏图表</translation>
  </message>
  <message>
   <source>Shows or hides the sampling settings of both sides</source>
   <translation>显示或隐藏两边的采样参数</translation>
  </message>
  <message>
   <source>Shows or hides the settings that are seldom changed</source>
   <translation>显示或隐藏很少改动的设置</translation>
  </message>
  <message>
   <source>Shows the available models and their sizes</source>
   <translation>显示可用的模型及其大小</translation>
  </message>
  <message>
   <source>Shows the beginning of the text instead of the passage</source>
   <translation>不再显示这一段，改为显示文本开头</translation>
  </message>
  <message>
   <source>Shows the program's log in the file manager</source>
   <translation>在文件管理器中显示程序的日志</translation>
  </message>
  <message>
   <source>Shows the run that ships with GPT Studio</source>
   <translation>显示随 GPT Studio 附带的训练</translation>
  </message>
  <message>
   <source>Shows the step of the lesson</source>
   <translation>显示课程的这一步</translation>
  </message>
  <message>
   <source>Shows the tanh form as in one variant of the study notes: the root is multiplied by x alone, not by the term with the cube.</source>
   <translation>显示学习笔记中一种写法的 tanh 形式：根号只乘 x，没有乘立方项。</translation>
  </message>
  <message>
   <source>Shows the text without colours, to be read</source>
   <translation>不带颜色显示文本，便于阅读</translation>
  </message>
  <message>
   <source>Shows what a beam search has pruned, in grey.</source>
   <translation>以灰色显示束搜索剪去的分支。</translation>
  </message>
  <message>
   <source>Shuffle the positions</source>
   <translation>打乱位置</translation>
  </message>
  <message>
   <source>Since the first evaluation, the norms of the layers have changed by {low} to {high}.</source>
   <translation>自第一次评估以来，各层的范数变化了 {low} 到 {high}。</translation>
  </message>
  <message>
   <source>Single values, values with equal differences, or values with equal ratios</source>
   <translation>单个取值、等差的取值，或等比的取值</translation>
  </message>
  <message>
   <source>Six probabilities typed by hand</source>
   <translation>手工输入的六个概率</translation>
  </message>
  <message>
   <source>Six words attend to each other, from plain dot products to several heads.</source>
   <translation>六个词彼此关注，从点积一直到多个头。</translation>
  </message>
  <message>
   <source>Size</source>
   <translation>大小</translation>
  </message>
  <message>
   <source>Size (L2 norm): {size}</source>
   <translation>大小（L2 范数）：{size}</translation>
  </message>
  <message>
   <source>Size of all text in the window, from 50 to 300 % (Ctrl++, Ctrl+-)</source>
   <translation>窗口中所有文字的大小，从 50 % 到 300 %（Ctrl++，Ctrl+-）</translation>
  </message>
  <message>
   <source>Size of copy</source>
   <translation>副本大小</translation>
  </message>
  <message>
   <source>Size on disk</source>
   <translation>磁盘占用</translation>
  </message>
  <message>
   <source>Size: {size}.</source>
   <translation>大小：{size}。</translation>
  </message>
  <message>
   <source>Size: {size}. Location: {path}</source>
   <translation>大小：{size}。位置：{path}</translation>
  </message>
  <message>
   <source>Sizes</source>
   <translation>规模</translation>
  </message>
  <message>
   <source>Skip this step</source>
   <translation>跳过这一步</translation>
  </message>
  <message>
   <source>Skipped</source>
   <translation>已跳过</translation>
  </message>
  <message>
   <source>Skipped steps: {steps}</source>
   <translation>跳过的步骤：{steps}</translation>
  </message>
  <message>
   <source>Skipped: {n}</source>
   <translation>跳过：{n}</translation>
  </message>
  <message>
   <source>Skipped: {n}.</source>
   <translation>跳过：{n}。</translation>
  </message>
  <message>
   <source>Sliding windows</source>
   <translation>滑动窗口</translation>
  </message>
  <message>
   <source>Slope</source>
   <translation>斜率</translation>
  </message>
  <message>
   <source>Slope of Hoffmann et al.</source>
   <translation>Hoffmann 等的斜率</translation>
  </message>
  <message>
   <source>Slope of Kaplan et al.</source>
   <translation>Kaplan 等的斜率</translation>
  </message>
  <message>
   <source>Smaller cells, until all are visible</source>
   <translation>缩小格子，直到全部可见</translation>
  </message>
  <message>
   <source>Smaller text</source>
   <translation>缩小文字</translation>
  </message>
  <message>
   <source>Smaller weight updates</source>
   <translation>权重更新幅度更小</translation>
  </message>
  <message>
   <source>Smoothing</source>
   <translation>平滑</translation>
  </message>
  <message>
   <source>So many layers that almost no gradient reaches the first</source>
   <translation>层数多到梯度几乎到不了第一层</translation>
  </message>
  <message>
   <source>So no word is unknown: in the worst case it is split into bytes. Type anything, then click a word to see its merges.</source>
   <translation>所以没有未知的词：最坏也只是拆成字节。随便输入些什么，再点击一个词查看它的合并过程。</translation>
  </message>
  <message>
   <source>So the bits per byte cannot be compared with those of other models.</source>
   <translation>因此每字节比特数不能与其他模型的相比。</translation>
  </message>
  <message>
   <source>Softmax</source>
   <translation>Softmax</translation>
  </message>
  <message>
   <source>Softmax, e^x divided by the row sum: each row becomes weights that sum to 1.</source>
   <translation>Softmax，e^x 除以该行之和：每一行变成总和为 1 的权重。</translation>
  </message>
  <message>
   <source>Softmax: attention weights</source>
   <translation>Softmax：注意力权重</translation>
  </message>
  <message>
   <source>Some settings are invalid: see the settings here and in the Model panel.</source>
   <translation>有些设置无效：请查看这里的设置和“模型”面板。</translation>
  </message>
  <message>
   <source>Some settings are invalid: see the settings here.</source>
   <translation>有些设置无效：请查看这里的设置。</translation>
  </message>
  <message>
   <source>Source</source>
   <translation>来源</translation>
  </message>
  <message>
   <source>Source of probabilities</source>
   <translation>概率来源</translation>
  </message>
  <message>
   <source>Source: the book, {sections}</source>
   <translation>来源：书中 {sections}</translation>
  </message>
  <message>
   <source>Space</source>
   <translation>空格键</translation>
  </message>
  <message>
   <source>Split</source>
   <translation>划分</translation>
  </message>
  <message>
   <source>Stage</source>
   <translation>阶段</translation>
  </message>
  <message>
   <source>Standard deviation</source>
   <translation>标准差</translation>
  </message>
  <message>
   <source>Start</source>
   <translation>开始</translation>
  </message>
  <message>
   <source>Start anyway</source>
   <translation>仍然开始</translation>
  </message>
  <message>
   <source>Start without the last session</source>
   <translation>不恢复上次会话</translation>
  </message>
  <message>
   <source>Start x</source>
   <translation>起点 x</translation>
  </message>
  <message>
   <source>Start y</source>
   <translation>起点 y</translation>
  </message>
  <message>
   <source>Start, pause, generate or stop</source>
   <translation>开始、暂停、生成或停止</translation>
  </message>
  <message>
   <source>Started</source>
   <translation>已开始</translation>
  </message>
  <message>
   <source>Starts a run from its weights</source>
   <translation>以它的权重开始一次训练</translation>
  </message>
  <message>
   <source>Starts at</source>
   <translation>起始位置</translation>
  </message>
  <message>
   <source>State</source>
   <translation>状态</translation>
  </message>
  <message>
   <source>Status</source>
   <translation>状态</translation>
  </message>
  <message>
   <source>Step</source>
   <translation>单步</translation>
  </message>
  <message>
   <source>Step by step from text to tensors, with something to try on every page.</source>
   <translation>一步一步从文本到张量，每一页都可以动手试。</translation>
  </message>
  <message>
   <source>Step details</source>
   <translation>单步详情</translation>
  </message>
  <message>
   <source>Step shown</source>
   <translation>显示的步</translation>
  </message>
  <message>
   <source>Step shown is {step}, but there are only {steps} steps.</source>
   <translation>显示的步为 {step}，但总共只有 {steps} 步。</translation>
  </message>
  <message>
   <source>Step takes one training step and shows its effect on the loss and the weights here.</source>
   <translation>“单步”训练一步，并在这里显示它对损失和权重的影响。</translation>
  </message>
  <message>
   <source>Step {n}</source>
   <translation>第 {n} 步</translation>
  </message>
  <message>
   <source>Step {n} did not change this batch's loss.</source>
   <translation>第 {n} 步没有改变这一批的损失。</translation>
  </message>
  <message>
   <source>Step {n} of {count}</source>
   <translation>第 {n} 步，共 {count} 步</translation>
  </message>
  <message>
   <source>Step {n} of {total}</source>
   <translation>第 {n} 步，共 {total} 步</translation>
  </message>
  <message>
   <source>Step {n}, {layer}: {value}</source>
   <translation>第 {n} 步，{layer}：{value}</translation>
  </message>
  <message>
   <source>Step {n}: before it, and what it subtracts, divided by η</source>
   <translation>第 {n} 步：之前的值，以及它减去的量除以 η</translation>
  </message>
  <message>
   <source>Step {n}: this batch's loss fell by {by}.</source>
   <translation>第 {n} 步：这一批的损失下降了 {by}。</translation>
  </message>
  <message>
   <source>Step {n}: this batch's loss rose by {by}. The step was too large for it, or followed the direction of earlier batches.</source>
   <translation>第 {n} 步：这一批的损失上升了 {by}。步子对它来说太大，或受到之前批次方向的影响。</translation>
  </message>
  <message>
   <source>Step {n}: {problem}</source>
   <translation>第 {n} 步：{problem}</translation>
  </message>
  <message>
   <source>Step {n}: {rate}</source>
   <translation>第 {n} 步：{rate}</translation>
  </message>
  <message>
   <source>Step {step} of {count}</source>
   <translation>第 {step} 步，共 {count} 步</translation>
  </message>
  <message>
   <source>Step {step} of {count}: {kept} of {all} texts are kept</source>
   <translation>第 {step} 步，共 {count} 步：{all} 段文本中保留 {kept} 段</translation>
  </message>
  <message>
   <source>Steps</source>
   <translation>步数</translation>
  </message>
  <message>
   <source>Steps done</source>
   <translation>已完成步数</translation>
  </message>
  <message>
   <source>Steps done in this run: {n}.</source>
   <translation>本次训练已完成 {n} 步。</translation>
  </message>
  <message>
   <source>Steps from the input to the context vectors; each uses the result of the one before</source>
   <translation>从输入到上下文向量的各个步骤，每一步使用前一步的结果</translation>
  </message>
  <message>
   <source>Steps of gradient descent on twelve sentences. 0: random weights.</source>
   <translation>在十二个句子上梯度下降的步数。0：随机权重。</translation>
  </message>
  <message>
   <source>Steps of the lesson</source>
   <translation>课程的步骤</translation>
  </message>
  <message>
   <source>Steps of warm-up here: {n}.</source>
   <translation>这里预热 {n} 步。</translation>
  </message>
  <message>
   <source>Steps through the model</source>
   <translation>模型中的各个步骤</translation>
  </message>
  <message>
   <source>Steps with parameters are framed and bold. An orange line is a shortcut connection: it skips a step, and its input is added to the output.</source>
   <translation>有参数的步骤加框并以粗体显示。橙色线是快捷连接：它绕过一步，把输入加到输出上。</translation>
  </message>
  <message>
   <source>Steps: {n}</source>
   <translation>步数：{n}</translation>
  </message>
  <message>
   <source>Stop</source>
   <translation>停止</translation>
  </message>
  <message>
   <source>Stop at</source>
   <translation>停止文本</translation>
  </message>
  <message>
   <source>Stop at &lt;|endoftext|&gt;</source>
   <translation>遇 &lt;|endoftext|&gt; 停止</translation>
  </message>
  <message>
   <source>Stop generating</source>
   <translation>停止生成</translation>
  </message>
  <message>
   <source>Stop once this text has been generated, or leave empty.</source>
   <translation>生成这段文本后停止，留空则不停止。</translation>
  </message>
  <message>
   <source>Stop recording</source>
   <translation>停止录制</translation>
  </message>
  <message>
   <source>Stop training and close? The run is saved after the current step, and you can continue it next time.</source>
   <translation>停止训练并关闭？训练会在当前这一步之后保存，下次可以继续。</translation>
  </message>
  <message>
   <source>Stopped</source>
   <translation>已停止</translation>
  </message>
  <message>
   <source>Stopped and saved. Continue it, or try it in Generate.</source>
   <translation>已停止并保存。可以继续训练，或在“生成”中试用。</translation>
  </message>
  <message>
   <source>Stopped before the end, so there is no result. Press the button to run it again.</source>
   <translation>在结束前停止，因此没有结果。按按钮可重新运行。</translation>
  </message>
  <message>
   <source>Stopped before the last step. You can continue from there.</source>
   <translation>在最后一步之前停止。可以从那里继续。</translation>
  </message>
  <message>
   <source>Stopped early.</source>
   <translation>提前停止。</translation>
  </message>
  <message>
   <source>Stopped.</source>
   <translation>已停止。</translation>
  </message>
  <message>
   <source>Stopped. Texts without values have not been read.</source>
   <translation>已停止。没有数值的文本尚未读取。</translation>
  </message>
  <message>
   <source>Stopping after this step…</source>
   <translation>这一步之后停止…</translation>
  </message>
  <message>
   <source>Stops after the layer that is computed</source>
   <translation>在正在计算的那一层之后停止</translation>
  </message>
  <message>
   <source>Stops after this many steps instead, or leave empty for all epochs.</source>
   <translation>改为在这么多步之后停止。留空：所有轮次。</translation>
  </message>
  <message>
   <source>Stops computing</source>
   <translation>停止计算</translation>
  </message>
  <message>
   <source>Stops generating</source>
   <translation>停止生成</translation>
  </message>
  <message>
   <source>Stops reading; what was read so far is shown</source>
   <translation>停止读取；已读取的内容会显示出来</translation>
  </message>
  <message>
   <source>Stops the model, and playing</source>
   <translation>停止模型和播放</translation>
  </message>
  <message>
   <source>Stored as</source>
   <translation>存储格式</translation>
  </message>
  <message>
   <source>Stories by Lu Xun</source>
   <translation>鲁迅小说</translation>
  </message>
  <message>
   <source>Strategy</source>
   <translation>策略</translation>
  </message>
  <message>
   <source>Stretches of five or more tokens that occur word for word in the training part of the text are counted. The longest one is a measure of memorisation; in a vocabulary of characters, the share is not, because almost every five characters of a word occur there.</source>
   <translation>计入的是一字不差地出现在文本训练部分中的、五个或更多词元的片段。最长片段的长度可以衡量模型的记忆程度；使用字符词表时，比例不能衡量它，因为单词中几乎每五个字符都在那里出现。</translation>
  </message>
  <message>
   <source>Stride</source>
   <translation>步幅</translation>
  </message>
  <message>
   <source>Subtracted from the logit of a token once for each time that it is already in the text; below 0, tokens of the text become more likely.</source>
   <translation>词元在文本中每出现过一次，就从它的 logit 中减去一次该值；小于 0 时，文本中已有的词元更容易出现。</translation>
  </message>
  <message>
   <source>Subtracted from the logit of a token that is already in the text, however often; below 0, tokens of the text become more likely.</source>
   <translation>词元只要在文本中出现过，无论多少次，都从它的 logit 中减去该值；小于 0 时，文本中已有的词元更容易出现。</translation>
  </message>
  <message>
   <source>Sum</source>
   <translation>累计</translation>
  </message>
  <message>
   <source>Sum of both</source>
   <translation>两者之和</translation>
  </message>
  <message>
   <source>Sum of the log-probabilities of its tokens under the model itself, without sampling stages</source>
   <translation>按模型本身计算的各词元对数概率之和，不经过采样阶段</translation>
  </message>
  <message>
   <source>Sum over {n} tokens: {before} before, {after} after</source>
   <translation>{n} 个词元之和：之前 {before}，之后 {after}</translation>
  </message>
  <message>
   <source>Surprisal</source>
   <translation>惊讶度</translation>
  </message>
  <message>
   <source>Surprisal {bits} bits, entropy {entropy}: the tokens nearer to it sum to {sum}, less than {p}: kept</source>
   <translation>惊讶度 {bits} 比特，熵 {entropy}：比它更接近熵的词元概率之和为 {sum}，小于 {p}：保留</translation>
  </message>
  <message>
   <source>Surprisal {bits} bits, entropy {entropy}: the tokens nearer to it sum to {sum}, which reaches {p}: removed</source>
   <translation>惊讶度 {bits} 比特，熵 {entropy}：比它更接近熵的词元概率之和为 {sum}，已达到 {p}：去除</translation>
  </message>
  <message>
   <source>Sweep</source>
   <translation>参数扫描</translation>
  </message>
  <message>
   <source>Sweeps</source>
   <translation>参数扫描</translation>
  </message>
  <message>
   <source>SwiGLU gate</source>
   <translation>SwiGLU 的门</translation>
  </message>
  <message>
   <source>SwiGLU multiplies the outputs of two linear layers; one of them passes through swish and acts as the gate. Only the gate is drawn: the output where the other layer gives 1.</source>
   <translation>SwiGLU 把两个线性层的输出相乘；其中一个经过 swish，充当门。这里只画出门：即另一层给出 1 时的输出。</translation>
  </message>
  <message>
   <source>SwiGLU of x is swish of x times W, times x times V, number by number</source>
   <translation>SwiGLU(x) 等于 swish(xW) 与 xV 逐元素相乘</translation>
  </message>
  <message>
   <source>Switches this component off, or on again</source>
   <translation>关闭该组件，或重新开启</translation>
  </message>
  <message>
   <source>System, processor, memory, devices, screen</source>
   <translation>系统、处理器、内存、设备、屏幕</translation>
  </message>
  <message>
   <source>Table</source>
   <translation>表格</translation>
  </message>
  <message>
   <source>Table (*.csv)</source>
   <translation>表格 (*.csv)</translation>
  </message>
  <message>
   <source>Table as CSV…</source>
   <translation>表格存为 CSV…</translation>
  </message>
  <message>
   <source>Table of 3-grams</source>
   <translation>3-gram 表</translation>
  </message>
  <message>
   <source>Table of 3-grams: {p}</source>
   <translation>3-gram 表：{p}</translation>
  </message>
  <message>
   <source>Take a lesson</source>
   <translation>学习一课</translation>
  </message>
  <message>
   <source>Takes one step, shows what it did, and pauses (S or full stop)</source>
   <translation>走一步，显示它做了什么，然后暂停（S 或句点键）</translation>
  </message>
  <message>
   <source>Tales of the Brothers Grimm</source>
   <translation>格林童话</translation>
  </message>
  <message>
   <source>Temp.</source>
   <translation>温度</translation>
  </message>
  <message>
   <source>Temperature</source>
   <translation>温度</translation>
  </message>
  <message>
   <source>Temperature 0 keeps only the most likely token: this one</source>
   <translation>温度为 0 时只保留最可能的词元，就是这一个</translation>
  </message>
  <message>
   <source>Temperature {cool} vs. {warm}</source>
   <translation>温度 {cool} 与 {warm}</translation>
  </message>
  <message>
   <source>Temperature {t}, after all stages: {tokens}. Kept: {n} tokens. The curves are drawn before tokens are removed. Point at the chart to try a temperature, click to keep it.</source>
   <translation>温度 {t}，经过所有阶段后：{tokens}。保留的词元：{n} 个。曲线画的是去除词元之前的概率。指向图表可试用某个温度，点击可保留它。</translation>
  </message>
  <message>
   <source>Ten times as many parameters leave {loss} as it is.</source>
   <translation>参数增至十倍，{loss}不变。</translation>
  </message>
  <message>
   <source>Ten times as many parameters lower {loss} by {share}.</source>
   <translation>参数增至十倍，{loss}下降 {share}。</translation>
  </message>
  <message>
   <source>Ten times as many parameters raise {loss} by {share}.</source>
   <translation>参数增至十倍，{loss}上升 {share}。</translation>
  </message>
  <message>
   <source>Term</source>
   <translation>术语</translation>
  </message>
  <message>
   <source>Test again</source>
   <translation>重新测试</translation>
  </message>
  <message>
   <source>Tests learning rates on a copy of the model; nothing is saved or changed</source>
   <translation>在模型的副本上测试学习率；不保存也不更改任何内容</translation>
  </message>
  <message>
   <source>Tests with the present settings</source>
   <translation>用当前设置测试</translation>
  </message>
  <message>
   <source>Text</source>
   <translation>文本</translation>
  </message>
  <message>
   <source>Text before</source>
   <translation>前文</translation>
  </message>
  <message>
   <source>Text generated by the model</source>
   <translation>模型生成的文本</translation>
  </message>
  <message>
   <source>Text is empty. Type at least one character.</source>
   <translation>文本为空。请至少输入一个字符。</translation>
  </message>
  <message>
   <source>Text is empty; it must be verdict, story or a file.</source>
   <translation>文本为空；必须是 verdict、story 或文件。</translation>
  </message>
  <message>
   <source>Text is empty; it must be verdict, story or at least one file.</source>
   <translation>文本为空；必须是 verdict、story，或至少一个文件。</translation>
  </message>
  <message>
   <source>Text of the table with n = {n}</source>
   <translation>n = {n} 的表生成的文本</translation>
  </message>
  <message>
   <source>Text of this branch</source>
   <translation>这个分支的文本</translation>
  </message>
  <message>
   <source>Text of {n} tokens</source>
   <translation>{n} 个词元的文本</translation>
  </message>
  <message>
   <source>Text of {n} tokens, coloured by {what}</source>
   <translation>{n} 个词元的文本，按{what}着色</translation>
  </message>
  <message>
   <source>Text size</source>
   <translation>字号</translation>
  </message>
  <message>
   <source>Text that the mean is taken over</source>
   <translation>计算均值所用的文本</translation>
  </message>
  <message>
   <source>Text to score</source>
   <translation>要打分的文本内容</translation>
  </message>
  <message>
   <source>Text to train on: verdict (The Verdict; the story that ships if it is not on this computer), story, grimm, luxun, or a file.</source>
   <translation>用来训练的文本：verdict（The Verdict；如果不在这台电脑上，则用附带的故事）、story、grimm、luxun，或一个文件。</translation>
  </message>
  <message>
   <source>Text {n} of {all}</source>
   <translation>文本 {n} / {all}</translation>
  </message>
  <message>
   <source>Text: the number of tokens is {count}; it must be between 1 and {most}.</source>
   <translation>“文本”有 {count} 个词元；词元数必须在 1 到 {most} 之间。</translation>
  </message>
  <message>
   <source>Texts</source>
   <translation>文本集</translation>
  </message>
  <message>
   <source>Texts (*.txt *.md);;All (*)</source>
   <translation>文本 (*.txt *.md);;全部 (*)</translation>
  </message>
  <message>
   <source>Texts are compared by the sum of their log-probabilities, divided by their length to the power of this value: 0 compares the sums, 1 the means per token. It matters only where texts end by themselves.</source>
   <translation>比较文本时，用对数概率之和除以长度的此次方：0 比较总和，1 比较每个词元的平均值。只有当文本自行结束时才有影响。</translation>
  </message>
  <message>
   <source>That includes 0: these points do not tell whether more parameters help.</source>
   <translation>其中包含 0：这些点说明不了更多参数是否有用。</translation>
  </message>
  <message>
   <source>The Branches pane shows all {n} texts.</source>
   <translation>“分支图”显示全部 {n} 段文本。</translation>
  </message>
  <message>
   <source>The Control is that of a run that has ended. Give each run its own.</source>
   <translation>这个 Control 属于一次已经结束的训练。每次训练都需要一个新的。</translation>
  </message>
  <message>
   <source>The Late Bell</source>
   <translation>The Late Bell</translation>
  </message>
  <message>
   <source>The Late Bell, a story that ships with GPT Studio</source>
   <translation>The Late Bell，GPT Studio 自带的故事</translation>
  </message>
  <message>
   <source>The Train tab shows the run that this window is training.</source>
   <translation>“训练”页正显示本窗口所做的训练。</translation>
  </message>
  <message>
   <source>The Train tab shows the settings of the run that this window is training.</source>
   <translation>“训练”页正显示本窗口所做训练的设置。</translation>
  </message>
  <message>
   <source>The Verdict</source>
   <translation>The Verdict</translation>
  </message>
  <message>
   <source>The Verdict is not available ({reason}). Train on the story that ships with GPT Studio, choose a file of your own, or copy {file} to {folder}.</source>
   <translation>无法取得 The Verdict（{reason}）。请用 GPT Studio 自带的故事训练，选择自己的文件，或把 {file} 复制到 {folder}。</translation>
  </message>
  <message>
   <source>The Verdict is not on this computer, so the step needs a network. Put {file} into the folder for texts, or name another text.</source>
   <translation>这台电脑上没有 The Verdict，因此这一步需要网络。请将 {file} 放入文本文件夹，或指定其他文本。</translation>
  </message>
  <message>
   <source>The Verdict is not on this computer, so this page uses the story that ships with GPT Studio. The book's values are for The Verdict: to see them, download it on the Train tab and come back.</source>
   <translation>这台电脑上没有 The Verdict，所以本页使用 GPT Studio 自带的故事。书中的数值属于 The Verdict：要查看它们，请在“训练”页下载它，然后再回来。</translation>
  </message>
  <message>
   <source>The Verdict, Edith Wharton, 1908</source>
   <translation>The Verdict，伊迪丝·华顿，1908</translation>
  </message>
  <message>
   <source>The Verdict, a text that ships with GPT Studio, or your own text.</source>
   <translation>The Verdict、随 GPT Studio 提供的文本，或你自己的文本。</translation>
  </message>
  <message>
   <source>The Verdict, the story that ships with GPT Studio, your own text, or token IDs.</source>
   <translation>The Verdict、GPT Studio 自带的故事、自己的文字，或词元 ID。</translation>
  </message>
  <message>
   <source>The Verdict: what did he drop?</source>
   <translation>《The Verdict》：他放弃了什么？</translation>
  </message>
  <message>
   <source>The Windows command line reads some of these characters as its own: {word}. Copy it as Python instead.</source>
   <translation>Windows 命令行会把其中一些字符另作解释：{word}。请改用“复制为 Python”。</translation>
  </message>
  <message>
   <source>The activation function of each layer. Our own GELU is the tanh form, torch's is the exact form.</source>
   <translation>每一层的激活函数。我们自己写的 GELU 是 tanh 形式，torch 的是精确形式。</translation>
  </message>
  <message>
   <source>The activations are not valid numbers.</source>
   <translation>激活值不是有效的数。</translation>
  </message>
  <message>
   <source>The address of the releases must begin with https://, and this one does not: {address}. Change it in the settings file, or in the environment variable {variable}.</source>
   <translation>发布页的地址必须以 https:// 开头，而现在是：{address}。请在设置文件或环境变量 {variable} 中更改。</translation>
  </message>
  <message>
   <source>The alternatives for each token appear here, from logits to probabilities.</source>
   <translation>这里显示每个词元的其他候选，从 logit 到概率。</translation>
  </message>
  <message>
   <source>The answer and the wrong token are both “{token}”, so there is no difference between them to recover. Choose another answer or another wrong token.</source>
   <translation>答案和错误词元都是“{token}”，因此没有可恢复的差异。请选择其他答案或其他错误词元。</translation>
  </message>
  <message>
   <source>The attention weights are not valid numbers.</source>
   <translation>注意力权重不是有效的数。</translation>
  </message>
  <message>
   <source>The averaged loss falls most steeply at {steepest} and is lowest at {minimum}. Between the former and a tenth of the latter lie good rates: {low} to {high}.</source>
   <translation>平均损失在 {steepest} 处下降最快，在 {minimum} 处最低。前者与后者的十分之一之间是好的学习率：{low} 到 {high}。</translation>
  </message>
  <message>
   <source>The beginning of the text, token by token</source>
   <translation>文本的开头，逐词元显示</translation>
  </message>
  <message>
   <source>The beginning, token by token</source>
   <translation>开头部分，逐词元显示</translation>
  </message>
  <message>
   <source>The best checkpoint is that of a run, but '{name}' is not a run.</source>
   <translation>最佳检查点属于某次训练，但“{name}”不是一次训练。</translation>
  </message>
  <message>
   <source>The best first word misleads</source>
   <translation>最好的第一个词会误导</translation>
  </message>
  <message>
   <source>The best next word is not always the beginning of the best text. Greedy decoding sees one word; beam search keeps the best few texts, and continues all of them.</source>
   <translation>最好的下一个词，不一定是最好的文本的开头。贪心解码只看一个词；束搜索保留最好的几段文本，并全部续写下去。</translation>
  </message>
  <message>
   <source>The best text that the beam search found.</source>
   <translation>束搜索找到的最佳文本。</translation>
  </message>
  <message>
   <source>The bits cover {n} of these tokens; the model makes no prediction for the first token of a text.</source>
   <translation>比特数只计其中 {n} 个词元；模型不预测文本的第一个词元。</translation>
  </message>
  <message>
   <source>The blocks are frozen, or their gradients are not valid numbers.</source>
   <translation>各块已冻结，或其梯度不是有效的数。</translation>
  </message>
  <message>
   <source>The blocks are frozen, or their updates are not valid numbers.</source>
   <translation>各块已冻结，或其更新不是有效的数。</translation>
  </message>
  <message>
   <source>The blocks move by 1 in {low} to 1 in {high} per step; around 1 in 1,000 is usual.</source>
   <translation>各块每步移动 1/{low} 到 1/{high}；通常约为 1/1,000。</translation>
  </message>
  <message>
   <source>The book's .pth</source>
   <translation>书中的 .pth</translation>
  </message>
  <message>
   <source>The book's examples</source>
   <translation>书中的示例</translation>
  </message>
  <message>
   <source>The book's run</source>
   <translation>书中的训练</translation>
  </message>
  <message>
   <source>The candidates on each side. Effective choices (2^entropy): first for the model alone, then after all sampling settings. Dot: the token this side sampled.</source>
   <translation>两边各自的候选词元。有效候选数（2^熵）：先是模型本身的，再是应用所有采样参数之后的。圆点：这一边采样得到的词元。</translation>
  </message>
  <message>
   <source>The chart as shown, as an image</source>
   <translation>当前显示的图表，图片格式</translation>
  </message>
  <message>
   <source>The chart as shown, as vector graphics</source>
   <translation>当前显示的图表，矢量格式</translation>
  </message>
  <message>
   <source>The checkpoint after step {n} is at the last step of the run “{run}”. A new run continues from there; that run does not change.</source>
   <translation>第 {n} 步之后的检查点已在训练“{run}”的最后一步。将从那里起开始一次新的训练；原来的训练保持不变。</translation>
  </message>
  <message>
   <source>The checkpoint of step {n} is kept: continue from it with a lower learning rate, or generate with it.</source>
   <translation>第 {n} 步的检查点已保留：可以用更低的学习率从它继续训练，或用它生成文本。</translation>
  </message>
  <message>
   <source>The checkpoint of step {step} was not saved.</source>
   <translation>第 {step} 步的检查点未保存。</translation>
  </message>
  <message>
   <source>The checkpoint was saved after step {n}, and the new run would have {total} steps in all. To continue from there, ask for more epochs or steps.</source>
   <translation>这个检查点是在第 {n} 步之后保存的，而新的训练总共只有 {total} 步。要从那里继续训练，请增加轮数或步数。</translation>
  </message>
  <message>
   <source>The checkpoint with the lowest validation loss was saved ({size}).</source>
   <translation>保存了验证损失最低的检查点（{size}）。</translation>
  </message>
  <message>
   <source>The choice of {language} has no effect while the environment variable {variable} is set to another language. Remove the variable, then start GPT Studio again.</source>
   <translation>环境变量 {variable} 设置了另一种语言，因此选择{language}不起作用。请删除该变量，然后重新启动 GPT Studio。</translation>
  </message>
  <message>
   <source>The clean prompt has {clean} tokens and the corrupted one {corrupted}, but patching needs the same number. They are the same up to position {at}, where the shorter one ends. Make them equally long.</source>
   <translation>干净提示词有 {clean} 个词元，受损提示词有 {corrupted} 个，但修补需要数目相同。在较短者结束的位置 {at} 之前两者相同。请让它们一样长。</translation>
  </message>
  <message>
   <source>The clean prompt has {clean} tokens and the corrupted one {corrupted}, but patching needs the same number. They part at position {at}: “{one}” in the clean prompt, “{other}” in the corrupted one. Replace words by others of as many tokens.</source>
   <translation>干净提示词有 {clean} 个词元，受损提示词有 {corrupted} 个，但修补需要数目相同。两者从位置 {at} 起不同：干净提示词中为“{one}”，受损提示词中为“{other}”。请换用词元数相同的词。</translation>
  </message>
  <message>
   <source>The clean sentence has {count} words, the corrupted one {other}. Both must have equally many.</source>
   <translation>干净句子有 {count} 个词，受损句子有 {other} 个。两者的词数必须相同。</translation>
  </message>
  <message>
   <source>The code that computes this page</source>
   <translation>计算本页的代码</translation>
  </message>
  <message>
   <source>The configuration says that {head} and {embedding} are the same matrix, but these weights contain two different ones. Programs interpret this differently, so the model is not opened. If both are intended, add "tie_word_embeddings": false to config.json.</source>
   <translation>配置称 {head} 与 {embedding} 是同一个矩阵，而这些权重中两者不同。各种程序对此的解读不一，因此不予打开。如果两个都要保留，请在 config.json 中加入 "tie_word_embeddings": false。</translation>
  </message>
  <message>
   <source>The context length of this model is 1, so it never sees an earlier token. Choose a model with a longer context.</source>
   <translation>该模型的上下文长度为 1，看不到之前的任何词元。请选择上下文更长的模型。</translation>
  </message>
  <message>
   <source>The context vector of word i is the sum of all values times their weights after dropout.</source>
   <translation>词 i 的上下文向量是所有值按 Dropout 之后的权重的加权和。</translation>
  </message>
  <message>
   <source>The context vector of word i is the sum of all values times their weights.</source>
   <translation>词 i 的上下文向量是所有值按各自权重的加权和。</translation>
  </message>
  <message>
   <source>The context vector of word i is the sum of all words' vectors times their weights.</source>
   <translation>词 i 的上下文向量是所有词的向量按各自权重的加权和。</translation>
  </message>
  <message>
   <source>The context vectors of all heads are concatenated.</source>
   <translation>所有头的上下文向量拼接在一起。</translation>
  </message>
  <message>
   <source>The cosine schedule now spans {total} steps instead of {former}: the learning rate was {before}, and continues at {after} from step {n} on. The result is not that of a run of {total} steps from the start.</source>
   <translation>余弦调度现在跨越 {total} 步，而不是 {former} 步：学习率先前为 {before}，从第 {n} 步起为 {after}。结果与一开始就训练 {total} 步的不同。</translation>
  </message>
  <message>
   <source>The count of {name} is {value}; it must be a whole number between 2 and {most}.</source>
   <translation>{name} 的 count 为 {value}；应为 2 到 {most} 之间的整数。</translation>
  </message>
  <message>
   <source>The curves are the lowest and the highest value over the layers. The rules are rules of thumb.</source>
   <translation>曲线是各层中的最低值和最高值。这些规则是经验法则。</translation>
  </message>
  <message>
   <source>The curves have these colours now.</source>
   <translation>曲线现在就是这些颜色。</translation>
  </message>
  <message>
   <source>The curves run from minus this number to this number.</source>
   <translation>曲线从这个数的负值画到这个数。</translation>
  </message>
  <message>
   <source>The data in it cannot be read: they are damaged, or were changed.</source>
   <translation>其中的数据无法读取：已损坏或被改动。</translation>
  </message>
  <message>
   <source>The data in it were changed since it was written (wrong checksum).</source>
   <translation>其中的数据在生成之后被改动（校验和不符）。</translation>
  </message>
  <message>
   <source>The device failed during computation: {what}. The contents of its memory are lost.</source>
   <translation>设备在计算过程中出现故障：{what}。其内存中的内容已丢失。</translation>
  </message>
  <message>
   <source>The device failed.</source>
   <translation>设备出现故障。</translation>
  </message>
  <message>
   <source>The device {device} was found but does not work: {why}. The CPU is used instead. To use the device, repair its driver and restart GPT Studio.</source>
   <translation>找到设备 {device}，但它无法工作：{why}。现改用 CPU 计算。要使用该设备，请修复其驱动程序并重新启动 GPT Studio。</translation>
  </message>
  <message>
   <source>The device {key} was found but does not work: {why}. Choose the CPU (cpu), or repair the device's driver and restart GPT Studio.</source>
   <translation>找到了设备 {key}，但它无法工作：{why}。请选择 CPU（cpu），或修复该设备的驱动程序并重启 GPT Studio。</translation>
  </message>
  <message>
   <source>The disk is full.</source>
   <translation>磁盘已满。</translation>
  </message>
  <message>
   <source>The disk is full. Free some space and try again.</source>
   <translation>磁盘已满。请腾出空间后再试。</translation>
  </message>
  <message>
   <source>The disk is full: a checkpoint needs {needed} and 5 % in reserve, but only {free} are free at {path}. The sweep waits, and no run is lost. Free some space and continue it.</source>
   <translation>磁盘已满：一个检查点需要 {needed} 和 5 % 的余量，但 {path} 处只有 {free} 可用。参数扫描会等待，不会丢失任何训练。请释放一些空间再继续。</translation>
  </message>
  <message>
   <source>The disk may become full. The queue then waits until there is space again.</source>
   <translation>磁盘可能会写满。届时队列会等待，直到重新有空间。</translation>
  </message>
  <message>
   <source>The download cannot be saved in {folder}: {why}. Free some space there, or set the environment variable HF_HOME to another folder. Then try again; the partial download is kept.</source>
   <translation>下载内容无法保存到 {folder}：{why}。请在那里腾出空间，或用环境变量 HF_HOME 指定另一个文件夹，然后重试：已下载的部分会保留。</translation>
  </message>
  <message>
   <source>The download does not match what {host} says about {name}: the checksums differ. It was damaged or changed in transit and has been deleted. Try again; if it happens again, use another network.</source>
   <translation>下载的内容与 {host} 声明的 {name} 不符：校验和不同。它在传输途中损坏或被改动，已删除。请重试；如果再次发生，请换一个网络。</translation>
  </message>
  <message>
   <source>The download was cancelled.</source>
   <translation>下载已取消。</translation>
  </message>
  <message>
   <source>The earlier checkpoint is kept.</source>
   <translation>先前的检查点仍保留。</translation>
  </message>
  <message>
   <source>The earlier checkpoint {name} is saved: continue from it on the CPU (cpu). To use the device again, restart GPT Studio.</source>
   <translation>此前的检查点 {name} 已保存：请用 CPU (cpu) 从那里继续。要再次使用该设备，请重新启动 GPT Studio。</translation>
  </message>
  <message>
   <source>The experiments follow Build a Large Language Model (From Scratch) by Sebastian Raschka, Manning, 2024. The Verdict by Edith Wharton (1908), the tales of the Brothers Grimm (1857) and the stories by Lu Xun (1919 and 1921) are in the public domain. The vocabulary is that of GPT-2 by OpenAI, under its own licence.</source>
   <translation>实验依据 Sebastian Raschka 的 Build a Large Language Model (From Scratch)（Manning，2024）。Edith Wharton 的 The Verdict（1908）、格林兄弟的童话（1857）和鲁迅的小说（1919 和 1921）属于公有领域。词表来自 OpenAI 的 GPT-2，适用其自己的许可证。</translation>
  </message>
  <message>
   <source>The exponent b is {b} ± {error} (standard error), 95 % interval from {low} to {high}.</source>
   <translation>指数 b 为 {b} ± {error}（标准误差），95 % 区间为 {low} 到 {high}。</translation>
  </message>
  <message>
   <source>The exponent b is {b}. A line always fits two points, so nothing says how certain it is.</source>
   <translation>指数 b 为 {b}。两点总能连成一条直线，所以无法知道它有多可靠。</translation>
  </message>
  <message>
   <source>The exponent α of the length, by which the sum is divided. Above 0, longer texts gain.</source>
   <translation>长度的指数 α，和除以长度的 α 次方。大于 0 时，较长的文本得益。</translation>
  </message>
  <message>
   <source>The factor of {component} is not a number: {factor}. Write, for example, {name}=0.5.</source>
   <translation>{component} 的系数不是数字：{factor}。写法例如 {name}=0.5。</translation>
  </message>
  <message>
   <source>The factor of {name} must be from 0 to 2: 0 takes its output away, 1 leaves it, 2 doubles it.</source>
   <translation>{name} 的系数必须在 0 到 2 之间：0 去掉它的输出，1 保持不变，2 使其加倍。</translation>
  </message>
  <message>
   <source>The feed-forward network</source>
   <translation>前馈网络</translation>
  </message>
  <message>
   <source>The feed-forward network writes {size}, {share} of the stream</source>
   <translation>前馈网络写入 {size}，为残差流的 {share}</translation>
  </message>
  <message>
   <source>The figures below are of the prompts and tokens as they were before. Press Patch to compute them again.</source>
   <translation>下面的数值属于更改之前的提示词和词元。按“修补”可重新计算。</translation>
  </message>
  <message>
   <source>The file does not contain the tokenizer of this model, since llama.cpp would read texts in another way. Programs that open it can only use token IDs.</source>
   <translation>文件中不含此模型的分词器，因为 llama.cpp 会以另一种方式读取文本。打开它的程序只能使用词元 ID。</translation>
  </message>
  <message>
   <source>The file does not say how many heads each layer has: the weights have the same shapes for any number. {n} is the most likely, because each head is then closest to 64 wide, as in OpenAI's models. If you know the n_heads of the code that trained the model, choose that: with any other number the model generates nonsense.</source>
   <translation>文件没有说明每一层有多少个头：无论多少个，权重的形状都相同。{n} 个最有可能：这样每个头的宽度最接近 64，与 OpenAI 的模型一致。如果你知道训练代码中的 n_heads，请选那个数：换成别的个数，模型只会生成胡话。</translation>
  </message>
  <message>
   <source>The file is incomplete or damaged; download or copy it again.</source>
   <translation>文件不完整或已损坏；请重新下载或复制。</translation>
  </message>
  <message>
   <source>The file {path} does not exist. Choose another, or the text that ships with GPT Studio.</source>
   <translation>文件 {path} 不存在。请另选一个，或使用 GPT Studio 自带的文本。</translation>
  </message>
  <message>
   <source>The first row of the batch.</source>
   <translation>批次的第一行。</translation>
  </message>
  <message>
   <source>The first value of the range</source>
   <translation>范围的第一个值</translation>
  </message>
  <message>
   <source>The first {n} steps are not judged: updates settle in them.</source>
   <translation>前 {n} 步不作判断：更新还在趋于平稳。</translation>
  </message>
  <message>
   <source>The folder is not there any more: a stick may have been removed, or the network may be down.</source>
   <translation>文件夹已不存在：U 盘可能已被拔出，或者网络已断开。</translation>
  </message>
  <message>
   <source>The folder is read-only.</source>
   <translation>文件夹是只读的。</translation>
  </message>
  <message>
   <source>The folder of this run was deleted while the run was in progress. It was created again at {path} for the model; the log of the steps so far is lost.</source>
   <translation>训练进行时，该训练的文件夹被删除。已在 {path} 重新创建以保存模型；此前各步的日志已丢失。</translation>
  </message>
  <message>
   <source>The folder was added from elsewhere and stays where it is</source>
   <translation>文件夹是从别处添加的，会留在原处</translation>
  </message>
  <message>
   <source>The folder {folder} contains no .txt or .md files. Choose a text file, or a folder that contains some.</source>
   <translation>{folder} 这个文件夹里没有 .txt 或 .md 文件。请选择文本文件，或含有文本文件的文件夹。</translation>
  </message>
  <message>
   <source>The folder {folder} no longer exists.</source>
   <translation>文件夹 {folder} 已不存在。</translation>
  </message>
  <message>
   <source>The folder {path} was deleted while this run was in progress, and another run has been saved there since. This run ends, and changes nothing there.</source>
   <translation>文件夹 {path} 在这次训练进行时被删除，之后那里又保存了另一次训练。这次训练到此结束，不会改动那里的任何内容。</translation>
  </message>
  <message>
   <source>The four sizes of GPT-2</source>
   <translation>GPT-2 的四种规模</translation>
  </message>
  <message>
   <source>The full formula of Hoffmann et al. would give up to {loss} here, where random guessing has {guessing}: it was fitted to models of 70 million parameters and more on 5 billion tokens and more, so only its slope is drawn.</source>
   <translation>Hoffmann 等的完整公式在这里会给出高达 {loss} 的损失，而随机猜测为 {guessing}：它是用 7000 万以上参数、50 亿以上词元的模型拟合的，所以只画出它的斜率。</translation>
  </message>
  <message>
   <source>The full formula of Hoffmann et al. would give up to {loss} here.</source>
   <translation>Hoffmann 等的完整公式在这里会给出高达 {loss} 的损失。</translation>
  </message>
  <message>
   <source>The generated text</source>
   <translation>生成的文本</translation>
  </message>
  <message>
   <source>The gradient norm is {value}</source>
   <translation>梯度范数为 {value}</translation>
  </message>
  <message>
   <source>The gradient norm of the block is {value}.</source>
   <translation>该块的梯度范数为 {value}。</translation>
  </message>
  <message>
   <source>The gradient of block {large} is {n} times that of block {small}.</source>
   <translation>第 {large} 块的梯度是第 {small} 块的 {n} 倍。</translation>
  </message>
  <message>
   <source>The heads have {low} to {high} bits, of at most {most}.</source>
   <translation>各头为 {low} 到 {high} 比特，最多可达 {most}。</translation>
  </message>
  <message>
   <source>The health of the layers is not measured in this run: each process holds only a part of every layer.</source>
   <translation>本次训练不测量各层的健康状况：每个进程只有各层的一部分。</translation>
  </message>
  <message>
   <source>The health of the layers is not measured in this run: the setting Health of the layers is off.</source>
   <translation>本次训练不测量各层的健康状况：“各层健康状况”设置已关闭。</translation>
  </message>
  <message>
   <source>The heat map needs a sweep of two settings.</source>
   <translation>热图需要两个设置的参数扫描。</translation>
  </message>
  <message>
   <source>The initial weights of this model are not available, so there is nothing to compare with.</source>
   <translation>没有这个模型的初始权重，所以无从比较。</translation>
  </message>
  <message>
   <source>The input for which each activation function is shown.</source>
   <translation>查看各激活函数在这个输入处的值。</translation>
  </message>
  <message>
   <source>The input of window k: T tokens, starting at token k times the stride S.</source>
   <translation>窗口 k 的输入：从第 k 乘步幅 S 个词元开始的 T 个词元。</translation>
  </message>
  <message>
   <source>The installed program cannot write ONNX, since it does not include the packages {packages}. Export a Hugging Face folder, which Optimum converts to ONNX, or use GPT Studio from its source code with these packages.</source>
   <translation>安装版程序不含 {packages} 这些包，无法写出 ONNX。请导出 Hugging Face 文件夹，再用 Optimum 转换为 ONNX；或者用源代码运行 GPT Studio，并安装这些包。</translation>
  </message>
  <message>
   <source>The irreducible loss ({irreducible}) must be below every loss; the lowest is {lowest}.</source>
   <translation>不可约损失（{irreducible}）必须低于每个损失；最低的是 {lowest}。</translation>
  </message>
  <message>
   <source>The language changes to {language} at the next start.</source>
   <translation>语言将在下次启动时变为{language}。</translation>
  </message>
  <message>
   <source>The language could not be kept for the next start: {file} could not be written ({error}).</source>
   <translation>无法为下次启动保存语言：无法写入 {file}（{error}）。</translation>
  </message>
  <message>
   <source>The last checkpoint is damaged, but an earlier one is intact. All training after it is lost.</source>
   <translation>最后一个检查点已损坏；更早的一个是完好的。其后的训练结果会丢失。</translation>
  </message>
  <message>
   <source>The last checkpoint, settings and log: training can continue elsewhere</source>
   <translation>最后一个检查点、设置和日志：可以在别处继续训练</translation>
  </message>
  <message>
   <source>The last of {n} checkpoints was saved ({size}).</source>
   <translation>保存了 {n} 个检查点中的最后一个（{size}）。</translation>
  </message>
  <message>
   <source>The last run took {took}.</source>
   <translation>上次训练用时 {took}。</translation>
  </message>
  <message>
   <source>The last sample: nothing copied from the training text.</source>
   <translation>最近的样本：没有照抄自训练文本的内容。</translation>
  </message>
  <message>
   <source>The last sample: {share} copied from the training text, longest {n} tokens.</source>
   <translation>最后一个样本：{share} 照抄自训练文本，最长 {n} 个词元。</translation>
  </message>
  <message>
   <source>The last term disappears if the two are tied, that is, if the output layer reuses the token embedding. Counted this way, OpenAI gives 124 million for GPT-2 small; the book keeps two matrices: 163 million.</source>
   <translation>如果两者共享权重，即输出层就是词元嵌入本身，就没有最后一项。OpenAI 这样计算 GPT-2 small，得 1.24 亿个参数；书中保留两个矩阵，得 1.63 亿个。</translation>
  </message>
  <message>
   <source>The last token would be at position {last}, but the position matrix ends at {most}. Increase Context, or reduce the position.</source>
   <translation>最后一个词元将位于位置 {last}，而位置矩阵到 {most} 为止。请加大上下文，或减小位置。</translation>
  </message>
  <message>
   <source>The last value of the range</source>
   <translation>范围的最后一个值</translation>
  </message>
  <message>
   <source>The last weights, settings and log: to generate text, not to continue training</source>
   <translation>最后的权重、设置和日志：用来生成文本，不能继续训练</translation>
  </message>
  <message>
   <source>The layer whose feed-forward network is shown; the first is 1.</source>
   <translation>观察哪一层的前馈网络；第一层为 1。</translation>
  </message>
  <message>
   <source>The layers hardly move: by about 1 in {n} per step. Try a higher learning rate.</source>
   <translation>各层几乎不动：每步约 1/{n}。请尝试更高的学习率。</translation>
  </message>
  <message>
   <source>The layers move by about 1 in {n} per step: too fast. Try a lower learning rate.</source>
   <translation>各层每步移动约 1/{n}：太快。请尝试更低的学习率。</translation>
  </message>
  <message>
   <source>The learning rate is locked by your instructor.</source>
   <translation>教师已锁定学习率。</translation>
  </message>
  <message>
   <source>The learning rate was changed by hand, the run was trained longer with a schedule, or it is a branch: the command does not repeat that. The Python script that Runs exports repeats the learning rates.</source>
   <translation>学习率曾手动改变，设有学习率调度的训练曾被延长，或这次训练是一个分支：这条命令不会重复这些操作。“训练记录”页导出的 Python 脚本会重复这些学习率。</translation>
  </message>
  <message>
   <source>The learning rate was set to {rate}.</source>
   <translation>学习率设为 {rate}。</translation>
  </message>
  <message>
   <source>The length of the gradient of each layer, before clipping. Layers that get far less than others hardly learn.</source>
   <translation>每层梯度在裁剪前的长度。梯度远小于其他层的层几乎学不到东西。</translation>
  </message>
  <message>
   <source>The length of the weights of each layer. It may grow slowly; a layer that grows fast overtakes the others.</source>
   <translation>每层权重的长度。它可以缓慢增长；增长很快的层会压过其他层。</translation>
  </message>
  <message>
   <source>The length of these tokens as plain text in UTF-8.</source>
   <translation>这些词元作为纯文本的长度，按 UTF-8 计。</translation>
  </message>
  <message>
   <source>The lesson has no steps yet. Record what you do in the window, or add a step.</source>
   <translation>课程还没有步骤。请录制你在窗口中的操作，或添加一个步骤。</translation>
  </message>
  <message>
   <source>The lesson has problems: see above.</source>
   <translation>课程有问题：见上方。</translation>
  </message>
  <message>
   <source>The list of seeds is empty.</source>
   <translation>种子列表为空。</translation>
  </message>
  <message>
   <source>The log of this run is shorter than when the checkpoint was saved: it was cut off. The model continues exactly, but some earlier steps are missing from the curves.</source>
   <translation>此次训练的日志比保存检查点时更短：它被截断了。模型会精确地继续训练，但曲线中缺少此前的若干步。</translation>
  </message>
  <message>
   <source>The log, the curves and the other checkpoints ({n}) stay.</source>
   <translation>日志、曲线和其他检查点（{n} 个）保留。</translation>
  </message>
  <message>
   <source>The logarithms of the probabilities are divided by this. Below 1: more predictable; above 1: more varied; 0: always the most likely token.</source>
   <translation>概率的对数除以这个数。小于 1：更可预测；大于 1：更多变；0：总是最可能的词元。</translation>
  </message>
  <message>
   <source>The logits are divided by this. Below 1: more predictable; above 1: more varied; 0: always the most likely word.</source>
   <translation>logits 除以这个数。低于 1：更确定；高于 1：更多样；0：总是最可能的词。</translation>
  </message>
  <message>
   <source>The logits are not valid numbers.</source>
   <translation>logit 不是有效的数。</translation>
  </message>
  <message>
   <source>The logits spread by {std} only: all tokens are about as likely.</source>
   <translation>logit 的标准差只有 {std}：所有词元的概率几乎相同。</translation>
  </message>
  <message>
   <source>The logits spread by {std}: a usual scale.</source>
   <translation>logit 的标准差为 {std}：尺度正常。</translation>
  </message>
  <message>
   <source>The logits spread by {std}: so widely that almost all probability goes to one token.</source>
   <translation>logit 的标准差为 {std}：过于分散，几乎全部概率都落在一个词元上。</translation>
  </message>
  <message>
   <source>The loss became infinite or undefined at once, at a learning rate of {rate}, so no rate can be recommended. The initial weights may be damaged: start from others, or from random weights.</source>
   <translation>损失在学习率 {rate} 时立即变为无穷大或无定义，因此无法推荐学习率。初始权重可能已损坏：请换用其他权重，或从随机权重开始。</translation>
  </message>
  <message>
   <source>The loss did not fall at any learning rate, so none can be recommended. Train more of the model, use a larger batch, or choose a text that these weights have not learned yet.</source>
   <translation>在任何学习率下损失都没有下降，因此无法推荐学习率。请训练模型的更多部分、使用更大的批次，或选择这些权重还没有学过的文本。</translation>
  </message>
  <message>
   <source>The loss is far above that of random guessing ({guess}): the model predicts worse than before its training.</source>
   <translation>损失远高于随机猜测的损失（{guess}）：模型的预测比训练之前还差。</translation>
  </message>
  <message>
   <source>The loss is {value}</source>
   <translation>损失为 {value}</translation>
  </message>
  <message>
   <source>The loss of random guessing, where every token has the same probability: ln(vocabulary size).</source>
   <translation>随机猜测（每个词元概率相同）时的损失：词表大小的自然对数。</translation>
  </message>
  <message>
   <source>The loss of the last step, {nats} nats, is {bits} bits.</source>
   <translation>最近一步的损失 {nats} nat，合 {bits} 比特。</translation>
  </message>
  <message>
   <source>The loss says how surprised the model is by the next token. It starts at random guessing ({guess}) and falls while the model learns.</source>
   <translation>损失表示模型对下一个词元有多意外。它从随机猜测的水平（{guess}）开始，随着模型学习而下降。</translation>
  </message>
  <message>
   <source>The loss says how surprised the model is by the next token. It starts at random guessing and falls while the model learns. Underlined words explain themselves: point at one, or click it.</source>
   <translation>损失表示下一个词元让模型有多意外。它从随机猜测的水平开始，随着学习而下降。带下划线的词可以查看解释：把鼠标移到上面，或点击它。</translation>
  </message>
  <message>
   <source>The loss says how surprised the model is by the next token. With random weights it is that of random guessing ({guess}); while the model learns, it falls.</source>
   <translation>损失表示模型对下一个词元有多意外。权重随机时，它等于随机猜测的损失（{guess}）；模型学习时，它会下降。</translation>
  </message>
  <message>
   <source>The lowest validation loss in bits per byte, which can be compared between vocabularies</source>
   <translation>以比特/字节表示的最低验证损失，可以在不同词表之间比较</translation>
  </message>
  <message>
   <source>The lowest, in nats per token</source>
   <translation>最低值，单位 nat/词元</translation>
  </message>
  <message>
   <source>The mean over all heads of the layer that is chosen here</source>
   <translation>此处所选的层中所有头的平均</translation>
  </message>
  <message>
   <source>The means cannot be taken over this text: it has tokens that the model does not have. Choose another text.</source>
   <translation>无法在这段文本上计算均值：其中有模型没有的词元。请选择其他文本。</translation>
  </message>
  <message>
   <source>The model continued the sample prompt after each epoch; {shown} of {n} samples are shown. Underlined: stretches of at least five tokens that occur word for word in the training text.</source>
   <translation>每轮之后，模型续写样本提示词；这里显示 {n} 个样本中的 {shown} 个。下划线：至少五个词元、与训练文本逐字相同的片段。</translation>
  </message>
  <message>
   <source>The model does not know “{word}”. Its words are: {words}.</source>
   <translation>模型不认识“{word}”。它的词有：{words}。</translation>
  </message>
  <message>
   <source>The model does not tell the sentences apart, so there is nothing to recover.</source>
   <translation>模型不区分这两个句子，所以没有可以恢复的差别。</translation>
  </message>
  <message>
   <source>The model ended the text with &lt;|endoftext|&gt;.</source>
   <translation>模型以 &lt;|endoftext|&gt; 结束了文本。</translation>
  </message>
  <message>
   <source>The model gives it probability 0</source>
   <translation>模型给它的概率为 0</translation>
  </message>
  <message>
   <source>The model has not predicted any token of this text.</source>
   <translation>模型没有预测过这段文本中的任何词元。</translation>
  </message>
  <message>
   <source>The model has read up to “{token}”.</source>
   <translation>模型已读到“{token}”。</translation>
  </message>
  <message>
   <source>The model in training changes with every step. Choose one of its checkpoints or another model.</source>
   <translation>正在训练的模型每一步都在变化。请选择它的检查点或其他模型。</translation>
  </message>
  <message>
   <source>The model in training, an untrained one, or the last checkpoint of a run</source>
   <translation>训练中的模型、未训练的模型，或一次训练的最后一个检查点</translation>
  </message>
  <message>
   <source>The model is being exported. Cancel it first.</source>
   <translation>正在导出模型。请先取消。</translation>
  </message>
  <message>
   <source>The model is busy in another view. Stop it there, then return to this step.</source>
   <translation>模型正在另一个视图中运行。请先停止它，再回到这一步。</translation>
  </message>
  <message>
   <source>The model is busy in this view. Stop it first.</source>
   <translation>模型正在此视图中运行。请先停止。</translation>
  </message>
  <message>
   <source>The model is busy. Stop it first.</source>
   <translation>模型正在运行。请先停止。</translation>
  </message>
  <message>
   <source>The model is generating. Stop it first.</source>
   <translation>模型正在生成。请先停止。</translation>
  </message>
  <message>
   <source>The model is generating. This view is updated when it stops.</source>
   <translation>模型正在生成。等它停下来再更新这里的内容。</translation>
  </message>
  <message>
   <source>The model is not generating.</source>
   <translation>模型没有在生成。</translation>
  </message>
  <message>
   <source>The model is not on this computer yet, and the network was not used because HF_HUB_OFFLINE is set. Start GPT Studio without this variable.</source>
   <translation>这台电脑上还没有该模型；由于设置了 HF_HUB_OFFLINE，没有访问网络。请取消该设置后重新启动 GPT Studio。</translation>
  </message>
  <message>
   <source>The model is {preset}. Settings that differ from the defaults are in bold, with a dot in front.</source>
   <translation>模型：{preset}。与默认值不同的设置用粗体显示，前面有一个圆点。</translation>
  </message>
  <message>
   <source>The model made no prediction for it: it is the first token that the model reads, or lies before its context window.</source>
   <translation>模型没有预测它：它是模型读到的第一个词元，或在上下文窗口之前。</translation>
  </message>
  <message>
   <source>The model makes no difference between the prompts: both have nearly the same logit difference of these two tokens, so there is no share to recover and nothing is divided.</source>
   <translation>模型不区分这两个提示词：两者对这两个词元的 logit 之差几乎相同，因此没有可恢复的份额，也不作除法。</translation>
  </message>
  <message>
   <source>The model of step {n} is saved: you can generate with it, but not continue the run.</source>
   <translation>第 {n} 步的模型已保存：可以用它生成文本，但不能从它继续训练。</translation>
  </message>
  <message>
   <source>The model of step {step}, which has the lowest validation loss, was not saved.</source>
   <translation>第 {step} 步的模型验证损失最低，但未能保存。</translation>
  </message>
  <message>
   <source>The model or training settings are invalid: windows cannot be counted.</source>
   <translation>模型或训练设置无效：无法计算窗口数。</translation>
  </message>
  <message>
   <source>The model predicts every token except the first from the tokens before it. If the text is longer than the model's context, only its end counts.</source>
   <translation>除第一个词元外，模型根据前面的词元预测每个词元。文本比模型的上下文长时，只计末尾部分。</translation>
  </message>
  <message>
   <source>The model predicts no first token. Select a later one.</source>
   <translation>模型不预测第一个词元。请选择后面的词元。</translation>
  </message>
  <message>
   <source>The model read only the last {n} tokens up to there: its context window.</source>
   <translation>模型只读了到那里为止的最后 {n} 个词元，即它的上下文窗口。</translation>
  </message>
  <message>
   <source>The model reads all tokens ({count}): {ids}</source>
   <translation>模型读入全部 {count} 个词元：{ids}</translation>
  </message>
  <message>
   <source>The model reads only the end: the context is shorter than the prompt.</source>
   <translation>上下文比提示词短，模型只读取提示词的末尾。</translation>
  </message>
  <message>
   <source>The model reads the embedding of this token at the chosen position; the text stays as it is</source>
   <translation>模型在所选位置读取该词元的嵌入；文本不变</translation>
  </message>
  <message>
   <source>The model reads {count} of {all} tokens: {ids}</source>
   <translation>模型读入 {all} 个词元中的 {count} 个：{ids}</translation>
  </message>
  <message>
   <source>The model settings are invalid: see the Model panel.</source>
   <translation>模型设置无效：请查看“模型”面板。</translation>
  </message>
  <message>
   <source>The model that computes this page</source>
   <translation>计算本页的模型</translation>
  </message>
  <message>
   <source>The model was needed for something else. Change any setting here to run it again.</source>
   <translation>模型被另一项任务占用了。在这里改动任何一处即可重新运行。</translation>
  </message>
  <message>
   <source>The model was needed for something else. Select a token to run it again.</source>
   <translation>模型被另一项任务占用了。选择一个词元即可重新运行。</translation>
  </message>
  <message>
   <source>The model was not saved: some of its weights are not valid numbers (NaN or infinite).</source>
   <translation>模型未保存：它的部分权重不是有效的数（NaN 或无穷大）。</translation>
  </message>
  <message>
   <source>The model whose shapes are shown.</source>
   <translation>显示哪个模型的形状。</translation>
  </message>
  <message>
   <source>The model's heads and feed-forward networks, layer by layer; Enter switches one off or on</source>
   <translation>模型各层的注意力头和前馈网络；按 Enter 关闭或开启</translation>
  </message>
  <message>
   <source>The model's logit is {x}, the highest</source>
   <translation>模型给的 logit 是 {x}，最高</translation>
  </message>
  <message>
   <source>The model's logit is {x}, {d} below the highest</source>
   <translation>模型给的 logit 是 {x}，比最高的低 {d}</translation>
  </message>
  <message>
   <source>The model's logits are not valid numbers (NaN or infinite), so no token can be sampled. Its weights are damaged, for example because training diverged. Choose an earlier checkpoint or another model.</source>
   <translation>模型的 logit 不是有效的数（NaN 或无穷大），因此无法采样词元。它的权重已损坏，例如因为训练发散。请选择更早的检查点或其他模型。</translation>
  </message>
  <message>
   <source>The models are generating. Stop them first.</source>
   <translation>模型正在生成。请先停止。</translation>
  </message>
  <message>
   <source>The most likely next tokens before and after the change appear here.</source>
   <translation>改动前后最可能的下一词元显示在这里。</translation>
  </message>
  <message>
   <source>The most likely next tokens, stage by stage</source>
   <translation>最可能的下一个词元，逐阶段显示</translation>
  </message>
  <message>
   <source>The most likely next tokens, without and with the change</source>
   <translation>改动前后最可能的下一词元</translation>
  </message>
  <message>
   <source>The most likely token is always kept</source>
   <translation>最可能的词元总是保留</translation>
  </message>
  <message>
   <source>The most likely tokens of both sides and their probabilities</source>
   <translation>两边最可能的词元及其概率</translation>
  </message>
  <message>
   <source>The most probable next tokens of each probe prompt, from the first reading to the last. The height of a colour is the probability of its token; what is left above belongs to all other tokens.</source>
   <translation>每个探针提示最可能的下一个词元，从第一次读数到最后一次。颜色的高度是该词元的概率；上方余下的部分属于所有其他词元。</translation>
  </message>
  <message>
   <source>The most probable of these texts is by: {name}.</source>
   <translation>这些文本中最可能的来自：{name}。</translation>
  </message>
  <message>
   <source>The most probable text is often dull: people do not always choose the most expected word (Holtzman et al., 2020).</source>
   <translation>最可能的文本往往单调：人并不总是选择最在意料之中的词（Holtzman 等，2020）。</translation>
  </message>
  <message>
   <source>The most surprising tokens; select one to see it in the text</source>
   <translation>最令人惊讶的词元；选择一个可在文本中查看</translation>
  </message>
  <message>
   <source>The most words that are appended.</source>
   <translation>最多追加的词数。</translation>
  </message>
  <message>
   <source>The name of the run folder {path} contains bytes that are not valid characters. Choose another folder.</source>
   <translation>训练文件夹 {path} 的名称中含有无效字符。请选择另一个文件夹。</translation>
  </message>
  <message>
   <source>The name of the sweep, {name}, cannot be the name of a folder. Use up to {most} letters, digits, spaces and hyphens.</source>
   <translation>参数扫描的名称 {name} 不能用作文件夹名。请使用最多 {most} 个字母、数字、空格和连字符。</translation>
  </message>
  <message>
   <source>The name of {path} contains bytes that are not valid characters, so a run could not record what it was trained on. Rename the file or its folder.</source>
   <translation>{path} 的名称中含有无效字符，因此训练记录无法写明使用了哪份文本。请重命名该文件或其所在文件夹。</translation>
  </message>
  <message>
   <source>The name shown wherever you choose a model</source>
   <translation>选择模型时显示的名称</translation>
  </message>
  <message>
   <source>The name; F2 changes it. The check box draws the curves of the run below.</source>
   <translation>名称，按 F2 可以修改。勾选方框会在下方画出这次训练的曲线。</translation>
  </message>
  <message>
   <source>The network has this number of layers now.</source>
   <translation>网络现在就是这个层数。</translation>
  </message>
  <message>
   <source>The network settings of this computer cannot be used: {why}. Check the environment variables HF_ENDPOINT, HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE.</source>
   <translation>这台电脑的网络设置无法使用：{why}。请检查环境变量 HF_ENDPOINT、HTTPS_PROXY、ALL_PROXY 和 SSL_CERT_FILE。</translation>
  </message>
  <message>
   <source>The next token that is right after the clean prompt, with the space before it. Empty: the most probable one there.</source>
   <translation>干净提示词之后正确的下一词元，连同前面的空格。留空：取那里最可能的词元。</translation>
  </message>
  <message>
   <source>The next token that the answer is compared with. Empty: the most probable one after the corrupted prompt.</source>
   <translation>与答案比较的下一词元。留空：取受损提示词之后最可能的词元。</translation>
  </message>
  <message>
   <source>The next word that the figures are about. Empty: the most probable one.</source>
   <translation>各数字所针对的下一个词。留空：最可能的词。</translation>
  </message>
  <message>
   <source>The number of epochs or steps is locked by your instructor.</source>
   <translation>教师已锁定轮数或步数。</translation>
  </message>
  <message>
   <source>The number of tokens is only {count}. A window of {context} needs at least {least}: its last target is the token that follows it. Add text, or reduce Context.</source>
   <translation>只有 {count} 个词元。长度为 {context} 的窗口至少需要 {least} 个词元：最后一个目标是窗口之后的那个词元。请增加文本，或减小上下文。</translation>
  </message>
  <message>
   <source>The number of words is {count}, but the number of rows in Inputs is {rows}. The two must match.</source>
   <translation>“词”有 {count} 个词，而“输入”有 {rows} 行数。两者必须一样多。</translation>
  </message>
  <message>
   <source>The number of words is {count}; it must be between 1 and {most}.</source>
   <translation>词数是 {count}；必须在 1 和 {most} 之间。</translation>
  </message>
  <message>
   <source>The one that the status bar shows</source>
   <translation>状态栏中显示的任务</translation>
  </message>
  <message>
   <source>The only special token, ID {id}: it marks the end of a text and is never split or merged.</source>
   <translation>唯一的特殊词元，ID {id}：它表示文本结束，不会被拆分或合并。</translation>
  </message>
  <message>
   <source>The only step where tokens see each other.</source>
   <translation>词元之间唯一能互相看到的一步。</translation>
  </message>
  <message>
   <source>The optimizer state of {name} is missing or belongs to another model, so the run cannot continue from this checkpoint. Choose an earlier checkpoint.</source>
   <translation>{name} 的优化器状态缺失或属于另一个模型，训练无法从该检查点继续。请选择更早的检查点。</translation>
  </message>
  <message>
   <source>The other side is the table already. Choose a model there first.</source>
   <translation>另一侧已经是这张表。请先在那里选择一个模型。</translation>
  </message>
  <message>
   <source>The other text has a different token here.</source>
   <translation>另一段文本在这里是另一个词元。</translation>
  </message>
  <message>
   <source>The output is the input times zero or one, divided by one minus the rate p.</source>
   <translation>输出等于输入乘以 0 或 1，再除以 1 减去丢弃率 p。</translation>
  </message>
  <message>
   <source>The outputs of a layer may be large or small, close to zero or far from it, and that makes training hard. Layer normalisation scales every row, which is one token, to mean 0 and variance 1.</source>
   <translation>一层的输出可大可小，可能离零很远，也可能很近，这使训练变得困难。层归一化把每一行（即一个词元）变为均值 0、方差 1。</translation>
  </message>
  <message>
   <source>The page shows an example.</source>
   <translation>页面显示的是一个示例。</translation>
  </message>
  <message>
   <source>The page shows the book's example.</source>
   <translation>此页显示的就是书中的例子。</translation>
  </message>
  <message>
   <source>The pages of Learn have their own parameters.</source>
   <translation>“学习”的各页有自己的参数。</translation>
  </message>
  <message>
   <source>The part {key} of {name} is {value}; it must be {what}.</source>
   <translation>{name} 的 {key} 为 {value}；应为{what}。</translation>
  </message>
  <message>
   <source>The placeholder is the model the chapter starts with: its blocks and layer normalisations pass their input on unchanged. All shapes are right from the start; the parts are filled in one by one.</source>
   <translation>占位模型是本章开头的模型：它的块和层归一化把输入原样传递。所有形状从一开始就是对的，各部分随后逐一填上。</translation>
  </message>
  <message>
   <source>The positions of the first {n} tokens are shuffled</source>
   <translation>前 {n} 个词元的位置已打乱</translation>
  </message>
  <message>
   <source>The preset that the model has the size of; “own” if it is none of them</source>
   <translation>模型的大小与哪个预设相同；都不相同则显示“自定义”</translation>
  </message>
  <message>
   <source>The probabilities that both sides give to the prompt</source>
   <translation>两侧给提示词的概率</translation>
  </message>
  <message>
   <source>The program is no longer at {path}: it was removed or moved while it runs. This window keeps working; save or finish what is running.</source>
   <translation>程序已不在 {path}：它在运行时被删除或移走。此窗口可以继续使用；请保存或完成正在进行的工作。</translation>
  </message>
  <message>
   <source>The program was ended from outside, perhaps by the system for lack of memory, or the computer shut down. Everything up to the last checkpoint is saved.</source>
   <translation>程序被外部终止（可能是系统因内存不足而终止），或者计算机关机。到最后一个检查点为止的训练结果都还在。</translation>
  </message>
  <message>
   <source>The prompt is empty, so there is nothing that the model could read. Give it some text.</source>
   <translation>提示词为空，模型没有内容可读。请输入一些文本。</translation>
  </message>
  <message>
   <source>The prompt is empty. Type a word or two for the model to continue.</source>
   <translation>提示词为空。请输入一两个词，让模型接着写。</translation>
  </message>
  <message>
   <source>The prompt is longer than the context length. Prompt tokens the model does not see: {n}.</source>
   <translation>提示词超过上下文长度，模型看不到开头的 {n} 个词元。</translation>
  </message>
  <message>
   <source>The prompt whose next token is shown</source>
   <translation>显示其下一个词元的提示词</translation>
  </message>
  <message>
   <source>The prompt with the right answer. Its activations are copied into the run of the other prompt.</source>
   <translation>带有正确答案的提示词。它的激活值会被复制到另一个提示词的运行中。</translation>
  </message>
  <message>
   <source>The prompt, read by both sides</source>
   <translation>两侧读到的提示词</translation>
  </message>
  <message>
   <source>The prompts are longer than the context length. Tokens of each that the model does not see: {n}.</source>
   <translation>提示词长于上下文长度。每个提示词中模型看不到的词元：{n} 个。</translation>
  </message>
  <message>
   <source>The prompts differ only at their beginning, which does not fit into the context of {n} tokens. Shorten both at the end, or choose a model with a longer context.</source>
   <translation>两个提示词只在开头有差异，而开头放不进 {n} 个词元的上下文。请缩短两者的末尾，或选择上下文更长的模型。</translation>
  </message>
  <message>
   <source>The proxy requires a user name and password (status 407). Add them to the environment variable HTTPS_PROXY.</source>
   <translation>代理需要用户名和密码（状态码 407）。请把它们写入环境变量 HTTPS_PROXY。</translation>
  </message>
  <message>
   <source>The query of word i is its vector times the matrix W query.</source>
   <translation>词 i 的查询是它的向量乘以矩阵 W_query。</translation>
  </message>
  <message>
   <source>The queue of your sweeps is training. Pause it on Runs first.</source>
   <translation>参数扫描的队列正在训练。请先在“训练记录”中暂停它。</translation>
  </message>
  <message>
   <source>The readings appear here while the run trains: one before the first step, then one per evaluation.</source>
   <translation>训练时，读数会显示在这里：第一步之前一个，此后每次评估一个。</translation>
  </message>
  <message>
   <source>The recorded run</source>
   <translation>记录的训练</translation>
  </message>
  <message>
   <source>The run before is saved: open it in Runs.</source>
   <translation>之前的训练已保存：可在“训练记录”中打开。</translation>
  </message>
  <message>
   <source>The run can continue from its earlier checkpoint of step {n}.</source>
   <translation>这次训练可以从先前第 {n} 步的检查点继续。</translation>
  </message>
  <message>
   <source>The run cannot continue from this checkpoint: {wrong}. Choose an earlier checkpoint.</source>
   <translation>训练无法从该检查点继续：{wrong}。请选择更早的检查点。</translation>
  </message>
  <message>
   <source>The run ended with an error.</source>
   <translation>训练因错误结束。</translation>
  </message>
  <message>
   <source>The run has ended. Choose its saved model in the list of models.</source>
   <translation>训练已经结束。请在模型列表中选择它保存的模型。</translation>
  </message>
  <message>
   <source>The run is a branch; the copy trains its settings from the start.</source>
   <translation>这次训练是一个分支；复制的代码会按它的设置从头训练。</translation>
  </message>
  <message>
   <source>The run is saved: open it in Runs.</source>
   <translation>训练已保存：可以在“训练记录”中打开。</translation>
  </message>
  <message>
   <source>The run is saved: open or continue it in Runs.</source>
   <translation>训练已保存：可以在“训练记录”中打开或继续。</translation>
  </message>
  <message>
   <source>The run that trained this model was not found, so its training text is not known.</source>
   <translation>找不到训练出这个模型的训练记录，因此不知道它的训练文本。</translation>
  </message>
  <message>
   <source>The run then continues from step {n}.</source>
   <translation>之后训练从第 {n} 步继续。</translation>
  </message>
  <message>
   <source>The run was continued from its checkpoint after step {n}; the {lost} steps after it were done again.</source>
   <translation>训练从第 {n} 步之后的检查点继续；其后的 {lost} 步重新进行。</translation>
  </message>
  <message>
   <source>The run was made longer: {total} steps in all instead of {former}.</source>
   <translation>训练加长：共 {total} 步，而不是 {former} 步。</translation>
  </message>
  <message>
   <source>The run was paused, and resumed.</source>
   <translation>训练暂停后又恢复。</translation>
  </message>
  <message>
   <source>The run was started.</source>
   <translation>训练开始。</translation>
  </message>
  <message>
   <source>The run was stopped, and continued.</source>
   <translation>训练停止后又继续。</translation>
  </message>
  <message>
   <source>The run was stopped.</source>
   <translation>训练已停止。</translation>
  </message>
  <message>
   <source>The run will have {n} steps.</source>
   <translation>这次训练将有 {n} 步。</translation>
  </message>
  <message>
   <source>The run {name} already has {former} steps in all; this would be {total}. To train it longer, ask for more epochs or steps.</source>
   <translation>训练 {name} 已经共有 {former} 步；这样只有 {total} 步。要延长训练，请增加轮数或步数。</translation>
  </message>
  <message>
   <source>The run {name} has completed all its steps. To train it longer, ask for more epochs or steps.</source>
   <translation>训练 {name} 已完成全部步数。要延长训练，请增加轮数或步数。</translation>
  </message>
  <message>
   <source>The run {name} has no checkpoint: it ended before one was saved.</source>
   <translation>训练 {name} 没有检查点：它在保存检查点之前就结束了。</translation>
  </message>
  <message>
   <source>The run {name} was interrupted.</source>
   <translation>训练 {name} 中断了。</translation>
  </message>
  <message>
   <source>The run “{run}” has {steps} steps in all (epochs: {epochs}).</source>
   <translation>训练“{run}”共 {steps} 步（{epochs} 轮）。</translation>
  </message>
  <message>
   <source>The run “{run}” has {steps} steps in all.</source>
   <translation>训练“{run}”共 {steps} 步。</translation>
  </message>
  <message>
   <source>The run “{run}” is handed in, with your guesses and goals in lessons.</source>
   <translation>提交的是训练“{run}”，以及你在课程中的猜测和目标。</translation>
  </message>
  <message>
   <source>The run's log is in Runs; it ended before a checkpoint was saved.</source>
   <translation>训练日志在“训练记录”中；训练在保存检查点之前就结束了。</translation>
  </message>
  <message>
   <source>The runs by their results, or one setting against the other</source>
   <translation>按结果排列的各次训练，或两个设置的对照</translation>
  </message>
  <message>
   <source>The same in bits per byte</source>
   <translation>以每字节比特为单位</translation>
  </message>
  <message>
   <source>The same model and seed: close to its first choice, and more varied</source>
   <translation>相同的模型和随机种子：一边接近首选，一边更多样</translation>
  </message>
  <message>
   <source>The same prompt and seed, before training and after it</source>
   <translation>相同的提示词和随机种子，训练之前与之后</translation>
  </message>
  <message>
   <source>The same prompt and seed: a model, and a table that only looks up what followed two tokens in its training text</source>
   <translation>同一提示词和种子：一个模型，以及一张只查其训练文本中两个词元之后接着什么的表</translation>
  </message>
  <message>
   <source>The same prompt with other words of as many tokens, so that another answer is right.</source>
   <translation>同一提示词，但换用词元数相同的其他词，使另一个答案成为正确答案。</translation>
  </message>
  <message>
   <source>The same random seed draws the same tokens.</source>
   <translation>相同的随机种子抽到相同的词元。</translation>
  </message>
  <message>
   <source>The same random seed draws the same words.</source>
   <translation>相同的随机种子抽到相同的词。</translation>
  </message>
  <message>
   <source>The same random seed drops the same numbers.</source>
   <translation>相同的随机种子丢弃相同位置的数。</translation>
  </message>
  <message>
   <source>The same random seed drops the same weights.</source>
   <translation>相同的随机种子丢弃相同的权重。</translation>
  </message>
  <message>
   <source>The same random seed gives the same initial weights.</source>
   <translation>相同的随机种子得到相同的初始权重。</translation>
  </message>
  <message>
   <source>The same random seed gives the same weights.</source>
   <translation>相同的随机种子得到相同的权重。</translation>
  </message>
  <message>
   <source>The same row is the one-hot vector h, with 1 at the ID and 0 elsewhere, times the matrix E.</source>
   <translation>这一行也等于独热向量 h（在该 ID 处为 1，其余为 0）乘以矩阵 E。</translation>
  </message>
  <message>
   <source>The same small model as on the page Ablation reads two sentences that differ in one word. Then it reads the corrupted one again, with a single activation copied from the clean one. Where that brings the clean answer back, the model keeps what makes the difference.</source>
   <translation>与“消融”页相同的小模型读两个只差一个词的句子，然后再读一遍受损的句子，其中有一个激活值是从干净句子复制来的。如果这样就恢复了干净句子的答案，说明造成差别的信息就保存在那里。</translation>
  </message>
  <message>
   <source>The same token always gets the same row, wherever it stands. To tell positions apart, a second row, the position's, is added.</source>
   <translation>同一个词元无论在哪里，得到的都是同一行。为了区分位置，还要加上另一行，即位置对应的行。</translation>
  </message>
  <message>
   <source>The same training in plain PyTorch, without GPT Studio</source>
   <translation>用纯 PyTorch 做同样的训练，不需要 GPT Studio</translation>
  </message>
  <message>
   <source>The same with a length penalty</source>
   <translation>同上，加长度惩罚</translation>
  </message>
  <message>
   <source>The same with query, key and value bias</source>
   <translation>同上，查询、键、值带偏置</translation>
  </message>
  <message>
   <source>The scale of {name} is {value}; it must be linear or log.</source>
   <translation>{name} 的 scale 为 {value}；应为 linear 或 log。</translation>
  </message>
  <message>
   <source>The scale γ and the shift β are learned, one of each per column; here all columns share them. They start at 1 and 0, so that nothing changes at first; one variant starts the shift at 1.</source>
   <translation>缩放 γ 与平移 β 是学习得到的，每列各有一个；这里所有列共用。它们从 1 和 0 开始，因此起初什么也不改变；有一种写法的平移从 1 开始。</translation>
  </message>
  <message>
   <source>The score of words i and j is the dot product of query i and key j.</source>
   <translation>词 i 与词 j 的分数是查询 i 与键 j 的点积。</translation>
  </message>
  <message>
   <source>The score of words i and j is the dot product of their vectors.</source>
   <translation>词 i 与词 j 的分数是两者向量的点积。</translation>
  </message>
  <message>
   <source>The scores of later tokens are set to −∞, so no token can look ahead. That half stays empty from here on.</source>
   <translation>后面词元的分数设为 −∞，任何词元都看不到后文。从这里起，那一半一直为空。</translation>
  </message>
  <message>
   <source>The scores of later tokens become −∞.</source>
   <translation>后面词元的分数变为 −∞。</translation>
  </message>
  <message>
   <source>The scores of later words become minus infinity.</source>
   <translation>后面的词的分数变为负无穷。</translation>
  </message>
  <message>
   <source>The second row, with the same number of tokens, or leave empty for a batch of one row.</source>
   <translation>第二行，词元数须相同；留空则批次只有一行。</translation>
  </message>
  <message>
   <source>The selected model is untrained and generates noise, which is worth seeing once.</source>
   <translation>选中的模型尚未训练：它生成的是噪声，但值得看一次。</translation>
  </message>
  <message>
   <source>The setting of which each run has another value</source>
   <translation>各次训练取值不同的设置</translation>
  </message>
  <message>
   <source>The settings have changed since this test: test again.</source>
   <translation>测试之后设置已更改：请重新测试。</translation>
  </message>
  <message>
   <source>The settings of this computer contain errors; the valid ones are applied. In {file}:</source>
   <translation>本机设置有错误；其中正确的部分已生效。文件 {file}：</translation>
  </message>
  <message>
   <source>The shapes of all values, or the logits that the book prints</source>
   <translation>所有数值的形状，或书中印出的 logit</translation>
  </message>
  <message>
   <source>The shortest text wins</source>
   <translation>最短的文本胜出</translation>
  </message>
  <message>
   <source>The sizes in numbers</source>
   <translation>各规模的数字</translation>
  </message>
  <message>
   <source>The stages as a table, or the probabilities over the temperature</source>
   <translation>以表格显示各阶段，或显示概率随温度的变化</translation>
  </message>
  <message>
   <source>The step whose numbers the table shows.</source>
   <translation>表格显示其数值的那一步。</translation>
  </message>
  <message>
   <source>The stop text was reached.</source>
   <translation>遇到了停止文本。</translation>
  </message>
  <message>
   <source>The strategies are being computed.</source>
   <translation>正在计算各策略。</translation>
  </message>
  <message>
   <source>The stride must be from 1 to {context}, the context length of this model, but is {stride}.</source>
   <translation>步幅必须在 1 到 {context}（这个模型的上下文长度）之间，现在是 {stride}。</translation>
  </message>
  <message>
   <source>The strip with its name and parameters stays</source>
   <translation>写有名称和参数量的竖条保留</translation>
  </message>
  <message>
   <source>The sum divided by the number of tokens</source>
   <translation>总和除以词元数</translation>
  </message>
  <message>
   <source>The sum of the values, each times its weight.</source>
   <translation>各个值按权重的加权和。</translation>
  </message>
  <message>
   <source>The sweep {name} cannot be read: {file} is missing or damaged. Its runs are not affected: they are in the list of runs. Restore the file from a copy, or delete the folder {path} and begin the sweep again.</source>
   <translation>无法读取参数扫描 {name}：{file} 缺失或已损坏。其训练不受影响，仍在训练列表中。请从副本恢复该文件，或删除文件夹 {path} 并重新开始。</translation>
  </message>
  <message>
   <source>The system may end the run, or the whole computer may stop responding.</source>
   <translation>系统可能终止训练，或整台电脑失去响应。</translation>
  </message>
  <message>
   <source>The table that generates the text looks up each token after the n − 1 tokens before it.</source>
   <translation>生成文本的表根据前面 n − 1 个词元查找下一个词元。</translation>
  </message>
  <message>
   <source>The tables count the first nine tenths of the text; their loss is that of the last tenth. A model that is trained on the text must be below it to have learned more than counting.</source>
   <translation>表统计文本的前十分之九，损失在最后十分之一上计算。用这段文本训练的模型，损失要低于它，才算学到了计数以外的东西。</translation>
  </message>
  <message>
   <source>The target of window k: T tokens, starting one token later.</source>
   <translation>窗口 k 的目标：从再后一个词元开始的 T 个词元。</translation>
  </message>
  <message>
   <source>The terms used here, in one sentence each</source>
   <translation>程序中使用的术语，每个一句话</translation>
  </message>
  <message>
   <source>The text</source>
   <translation>当前文本</translation>
  </message>
  <message>
   <source>The text as tokens; use the arrow keys to select one</source>
   <translation>文本的词元；用方向键选择</translation>
  </message>
  <message>
   <source>The text cannot be changed during a run. Stop it first.</source>
   <translation>训练期间不能更换文本。请先停止训练。</translation>
  </message>
  <message>
   <source>The text contains a character that no command line can pass on (null, or half a surrogate pair). Copy it as Python instead.</source>
   <translation>文本中含有命令行无法传递的字符（空字符 NUL，或半个代理对）。请改用“复制为 Python”。</translation>
  </message>
  <message>
   <source>The text contains token {beyond} ({visible}), but the token IDs of this model are below {rows}. Choose a model with the full vocabulary of {n_vocab} tokens.</source>
   <translation>文本中含有词元 {beyond}（{visible}），但此模型的词元 ID 都小于 {rows}。请选择具有完整词表（{n_vocab} 个词元）的模型。</translation>
  </message>
  <message>
   <source>The text contains “{character}”, for which the vocabulary of this model has no token: it has the {n} characters of the text that the model was trained on. Leave this character out.</source>
   <translation>文本中含有“{character}”，此模型的词表中没有对应的词元：它只有训练文本中的 {n} 个字符。请去掉这个字符。</translation>
  </message>
  <message>
   <source>The text continues with {token}: rank {rank}, {probability}</source>
   <translation>原文的下一个词元是 {token}：排名 {rank}，概率 {probability}</translation>
  </message>
  <message>
   <source>The text ends here.</source>
   <translation>文本到此结束。</translation>
  </message>
  <message>
   <source>The text ends when the model generates &lt;|endoftext|&gt;.</source>
   <translation>模型生成 &lt;|endoftext|&gt; 时，文本就结束。</translation>
  </message>
  <message>
   <source>The text has fewer than two tokens. The first token has no context and cannot be scored. Add more text.</source>
   <translation>文本不足两个词元。第一个词元没有上下文，无法打分。请添加更多文本。</translation>
  </message>
  <message>
   <source>The text has more than a million spaces or line breaks in a row. Remove them.</source>
   <translation>文本中有超过一百万个连续的空格或换行。请将其删去。</translation>
  </message>
  <message>
   <source>The text has more than {n} characters, the most that can be shown here. Use a part of it, or score the whole text in a terminal:  gptstudio score FILE</source>
   <translation>文本超过了这里最多能显示的 {n} 个字符。请取其中一部分，或在终端里给全文打分：gptstudio score FILE</translation>
  </message>
  <message>
   <source>The text has {len} characters; the maximum is {longest}. Score part of it.</source>
   <translation>文本有 {len} 个字符，最多为 {longest} 个。请只给其中一部分打分。</translation>
  </message>
  <message>
   <source>The text has {n} tokens to train on: the smallest model read each {most} times, the largest {least} times.</source>
   <translation>文本有 {n} 个训练词元：最小的模型把每个读了 {most} 遍，最大的读了 {least} 遍。</translation>
  </message>
  <message>
   <source>The text is being downloaded.</source>
   <translation>正在下载文本。</translation>
  </message>
  <message>
   <source>The text is being scored. Stop it first.</source>
   <translation>正在给文本打分。请先停止。</translation>
  </message>
  <message>
   <source>The text is empty. Paste one first.</source>
   <translation>文本是空的。请先粘贴内容。</translation>
  </message>
  <message>
   <source>The text is empty. Type a word.</source>
   <translation>文本为空。请输入一个词。</translation>
  </message>
  <message>
   <source>The text is longer than the context of {n} tokens, past which every token gets another position. Remove the changes of positions and embeddings, or shorten the text.</source>
   <translation>文本超过了 {n} 个词元的上下文，此后每个词元的位置都会变。请移除对位置和嵌入的改动，或缩短文本。</translation>
  </message>
  <message>
   <source>The text itself was not at hand when this report was written, or has changed since the run.</source>
   <translation>生成报告时找不到文本本身，或文本在训练之后有改动。</translation>
  </message>
  <message>
   <source>The text of this run, {text_name}, has changed since then, so a script would train on a different text. Restore the original text, or run it again with the new text and export that run.</source>
   <translation>该训练的文本 {text_name} 此后已更改，脚本会在另一份文本上训练。请恢复原来的文本，或用新文本重新训练并导出那次训练。</translation>
  </message>
  <message>
   <source>The text on which the model was trained</source>
   <translation>训练模型所用的文本</translation>
  </message>
  <message>
   <source>The text that an imported model was trained on is not known.</source>
   <translation>导入的模型是用什么文本训练的，无从得知。</translation>
  </message>
  <message>
   <source>The text that the merges are learned from</source>
   <translation>学习合并所用的文本</translation>
  </message>
  <message>
   <source>The text that the model generated last</source>
   <translation>模型最近生成的那一段</translation>
  </message>
  <message>
   <source>The text that the windows are cut from</source>
   <translation>切出窗口的文本</translation>
  </message>
  <message>
   <source>The text the model reads.</source>
   <translation>模型所读的文本。</translation>
  </message>
  <message>
   <source>The text to continue.</source>
   <translation>要续写的文本。</translation>
  </message>
  <message>
   <source>The text to encode; up to 2,000 characters.</source>
   <translation>要编码的文本，最多 2,000 个字符。</translation>
  </message>
  <message>
   <source>The text was encoded with the vocabulary {one}, but the model was trained with another ({other}), so it would read other words. Choose a model with that vocabulary.</source>
   <translation>文本是用词表 {one} 编码的，而模型训练时使用另一种词表（{other}），因此它读到的会是别的词。请选择使用该词表的模型。</translation>
  </message>
  <message>
   <source>The text whose n-grams are counted</source>
   <translation>统计 n-gram 的文本</translation>
  </message>
  <message>
   <source>The text {text_name} has changed since this run started, so the run cannot continue with it. Restore the original text, or start a new run.</source>
   <translation>文本 {text_name} 在该训练开始后已更改，训练无法用它继续。请恢复原来的文本，或开始新的训练。</translation>
  </message>
  <message>
   <source>The text, to be read</source>
   <translation>供阅读的文本</translation>
  </message>
  <message>
   <source>The text, token by token</source>
   <translation>逐词元显示的文本</translation>
  </message>
  <message>
   <source>The texts as token IDs, one row per text.</source>
   <translation>用词元 ID 表示的文本，每个文本一行。</translation>
  </message>
  <message>
   <source>The texts have not been read yet.</source>
   <translation>文本还没有读完。</translation>
  </message>
  <message>
   <source>The three most likely of nine words</source>
   <translation>九个词中最可能的三个</translation>
  </message>
  <message>
   <source>The token as text; ␣ is a space</source>
   <translation>词元的文本；␣ 是空格</translation>
  </message>
  <message>
   <source>The token's rank among all tokens; 1 is the most likely. Coloured on a logarithmic scale.</source>
   <translation>词元在全体中的排名，最可能的为 1。按对数着色。</translation>
  </message>
  <message>
   <source>The tokenizer of this model cannot read the text ({why}). Leave out the characters that the model was not trained on.</source>
   <translation>此模型的分词器无法读取文本（{why}）。请去掉模型没有训练过的字符。</translation>
  </message>
  <message>
   <source>The tokens of the text, saved in {file}, can no longer be read: {why}. Start again; the tokens are then recreated.</source>
   <translation>保存在 {file} 中的文本词元已无法读取：{why}。请重新开始，词元会重新生成。</translation>
  </message>
  <message>
   <source>The tokens ranked above it sum to {above}, with its own {p} to {sum}, as top-p gets them</source>
   <translation>按 top-p 得到的概率，排在它之上的词元之和为 {above}，加上它自己的 {p} 为 {sum}</translation>
  </message>
  <message>
   <source>The tokens ranked above it sum to {sum}, less than {p}: kept</source>
   <translation>排在它前面的合计 {sum}，小于 {p}：保留</translation>
  </message>
  <message>
   <source>The tokens ranked above it sum to {sum}, which reaches {p}: removed</source>
   <translation>排在它前面的合计 {sum}，已达到 {p}：去除</translation>
  </message>
  <message>
   <source>The tokens that count: all but the first, which has no preceding text to be predicted from.</source>
   <translation>计入的词元：除第一个之外的全部，第一个前面没有可据以预测的内容。</translation>
  </message>
  <message>
   <source>The training begins…</source>
   <translation>训练即将开始…</translation>
  </message>
  <message>
   <source>The training ended before a model was saved.</source>
   <translation>训练在保存模型之前就结束了。</translation>
  </message>
  <message>
   <source>The training loss still falls, but the validation loss no longer does: the model now memorises its training text. This is overfitting.</source>
   <translation>训练损失还在下降，但验证损失不再下降：模型开始记住训练文本。这就是过拟合。</translation>
  </message>
  <message>
   <source>The training part of the text has {n} tokens, but one window needs {needed}. Choose a longer text or a shorter context length.</source>
   <translation>文本的训练部分有 {n} 个词元，而一个窗口需要 {needed} 个。请选择更长的文本或更短的上下文长度。</translation>
  </message>
  <message>
   <source>The training part of the text has {n} windows, but one step needs {needed}. Choose a smaller batch size, context length or stride, or a longer text.</source>
   <translation>文本的训练部分有 {n} 个窗口，而一步需要 {needed} 个。请减小批次大小、上下文长度或步幅，或选择更长的文本。</translation>
  </message>
  <message>
   <source>The training text has changed since the run {run} was trained on it.</source>
   <translation>自训练 {run} 之后，训练文本已有改动。</translation>
  </message>
  <message>
   <source>The training text has {n} tokens.</source>
   <translation>训练文本有 {n} 个词元。</translation>
  </message>
  <message>
   <source>The training text has {n} tokens. Samples are searched for copied passages in texts of up to {most} tokens.</source>
   <translation>训练文本有 {n} 个词元。只有不超过 {most} 个词元的文本才会检查样本中的照抄片段。</translation>
  </message>
  <message>
   <source>The training text has {n} tokens. Texts of up to {most} tokens are searched.</source>
   <translation>训练文本有 {n} 个词元。最多搜索 {most} 个词元的文本。</translation>
  </message>
  <message>
   <source>The training text of the run {run} does not have this passage.</source>
   <translation>训练 {run} 的训练文本中没有这一段。</translation>
  </message>
  <message>
   <source>The two branches are the same.</source>
   <translation>两个分支相同。</translation>
  </message>
  <message>
   <source>The two prompts consist of the same tokens, so there is nothing to copy from one into the other. Change at least one token of the corrupted prompt.</source>
   <translation>两个提示词由相同的词元组成，因此没有可从一个复制到另一个的内容。请至少更改受损提示词中的一个词元。</translation>
  </message>
  <message>
   <source>The validation loss has fallen from {first} to {last}: on text that it has not seen, the model is as unsure as if it chose among {few} tokens, where it began with {many}.</source>
   <translation>验证损失已从 {first} 降到 {last}：在没有见过的文本上，模型的不确定程度相当于在 {few} 个词元中选择，开始时是 {many} 个。</translation>
  </message>
  <message>
   <source>The validation loss of a table that only looks up: after two tokens it predicts what followed them in the training text, and how often (3-grams, Kneser-Ney smoothing).</source>
   <translation>一张只会查表的表格的验证损失：看到两个词元之后，它按训练文本中接在这两个词元后面的词元及其次数来预测（3-gram，Kneser-Ney 平滑）。</translation>
  </message>
  <message>
   <source>The validation part of the text has {n} tokens, but one window needs {needed}: there would be no validation loss. Choose a smaller training share, a shorter context length or a longer text.</source>
   <translation>文本的验证部分有 {n} 个词元，而一个窗口需要 {needed} 个：将没有验证损失。请减小训练比例或上下文长度，或选择更长的文本。</translation>
  </message>
  <message>
   <source>The vocabulary is made from the training text, which has not been read yet: see Train.</source>
   <translation>词表由训练文本生成，而文本尚未读取：见“训练”页。</translation>
  </message>
  <message>
   <source>The vocabulary of {name} is made from a training text, so the model can read text only once a run has begun to train it.</source>
   <translation>{name} 的词表由训练文本生成，因此模型要在训练开始之后才能读取文本。</translation>
  </message>
  <message>
   <source>The weights are being imported. Cancel it first.</source>
   <translation>正在导入权重。请先取消。</translation>
  </message>
  <message>
   <source>The weights are not valid numbers.</source>
   <translation>权重不是有效的数。</translation>
  </message>
  <message>
   <source>The weights are the softmax of the masked scores.</source>
   <translation>权重是掩码后的分数的 softmax。</translation>
  </message>
  <message>
   <source>The weights are the softmax of the row of scores.</source>
   <translation>权重是该行分数的 softmax。</translation>
  </message>
  <message>
   <source>The weights are the softmax of the scores divided by the square root of d k.</source>
   <translation>权重是分数除以 d_k 的平方根之后的 softmax。</translation>
  </message>
  <message>
   <source>The weights in {path}</source>
   <translation>{path} 中的权重</translation>
  </message>
  <message>
   <source>The weights of the head that is chosen here</source>
   <translation>此处所选注意力头的权重</translation>
  </message>
  <message>
   <source>The weights of {name}</source>
   <translation>{name} 的权重</translation>
  </message>
  <message>
   <source>The weights that {host} offers as {title} are not the published ones: their checksum is {offered}, the published SHA-256 is {pinned}. They were changed or are another version, so nothing was downloaded. If HF_ENDPOINT points to a mirror, contact its operator; otherwise look for a newer version of GPT Studio.</source>
   <translation>{host} 以 {title} 之名提供的权重不是公开发布的权重：其校验和为 {offered}，而公布的 SHA-256 为 {pinned}。它们被改动过，或是另一个版本，因此没有下载任何内容。如果 HF_ENDPOINT 指向镜像站，请联系其维护者；否则请查看 GPT Studio 是否有新版本。</translation>
  </message>
  <message>
   <source>The whole model</source>
   <translation>整个模型</translation>
  </message>
  <message>
   <source>The width of the input, then that of each layer: one layer per comma.</source>
   <translation>先是输入的宽度，然后是每一层的宽度：每个逗号对应一层。</translation>
  </message>
  <message>
   <source>The window shown, counted from 0; a number past the end means the last window.</source>
   <translation>显示哪个窗口，从 0 数起；超出末尾即为最后一个。</translation>
  </message>
  <message>
   <source>The word has {count} bytes; the maximum for showing merges is {most}. Choose a shorter word.</source>
   <translation>这个词有 {count} 个字节；最多可显示 {most} 个字节的合并过程。请选择较短的词。</translation>
  </message>
  <message>
   <source>The word that attends to the others, counted from 1.</source>
   <translation>由哪个词去关注其他词，从 1 数起。</translation>
  </message>
  <message>
   <source>The word to merge step by step, with its leading space, or leave empty for the word with the most tokens.</source>
   <translation>要逐步合并的词，连同前面的空格；留空则取词元最多的词。</translation>
  </message>
  <message>
   <source>The zip in {folder} could not be read back ({file}), so nothing was removed. Try another disk.</source>
   <translation>{folder} 中的 zip 无法读回（{file}），所以没有移除任何东西。请换一个磁盘。</translation>
  </message>
  <message>
   <source>Theme</source>
   <translation>主题</translation>
  </message>
  <message>
   <source>There are more than {n} files. Choose the folder of one class.</source>
   <translation>文件超过 {n} 个。请选择一个班级的文件夹。</translation>
  </message>
  <message>
   <source>There are no guesses in these files. Reports contain the guesses that were made in lessons; packed runs contain none.</source>
   <translation>这些文件中没有猜测。报告含有课程中的猜测，打包的训练不含。</translation>
  </message>
  <message>
   <source>There are no numbers to save yet. Wait until the page has finished computing.</source>
   <translation>还没有可以保存的数据。请等页面计算完毕。</translation>
  </message>
  <message>
   <source>There are no packed runs (.zip) and no reports (.html) there.</source>
   <translation>那里没有打包的训练（.zip），也没有报告（.html）。</translation>
  </message>
  <message>
   <source>There are no runs in the table yet.</source>
   <translation>表格中还没有训练。</translation>
  </message>
  <message>
   <source>There are no sweeps yet.</source>
   <translation>尚无参数扫描。</translation>
  </message>
  <message>
   <source>There are {count} IDs; the maximum here is {most}.</source>
   <translation>有 {count} 个 ID；这里最多 {most} 个。</translation>
  </message>
  <message>
   <source>There is a sweep named {name} already. Choose another name.</source>
   <translation>已有名为 {name} 的参数扫描。请换一个名称。</translation>
  </message>
  <message>
   <source>There is a sweep named {name} with other settings. Give this one another name, or continue that one.</source>
   <translation>已有名为 {name}、但设置不同的参数扫描。请为这一个另取名称，或继续那一个。</translation>
  </message>
  <message>
   <source>There is no ID {id}. With a vocabulary of {count}, IDs must be whole numbers from 0 to {most}.</source>
   <translation>没有 ID {id}。词表大小为 {count} 时，ID 必须是 0 到 {most} 的整数。</translation>
  </message>
  <message>
   <source>There is no checkpoint in {folder}: {state} is missing. Choose another checkpoint, or a preset.</source>
   <translation>{folder} 中没有检查点：缺少 {state}。请选择其他检查点，或一个预设。</translation>
  </message>
  <message>
   <source>There is no checkpoint yet.</source>
   <translation>还没有检查点。</translation>
  </message>
  <message>
   <source>There is no device '{wanted}'. Available: {devices}. Choose one of these, or auto.</source>
   <translation>没有设备“{wanted}”。可用的有：{devices}。请选择其中之一，或 auto。</translation>
  </message>
  <message>
   <source>There is no experiment '{name}'. Available: {known}.</source>
   <translation>没有名为“{name}”的实验。可用的有：{known}。</translation>
  </message>
  <message>
   <source>There is no line through one size. Train at least two different sizes, better four.</source>
   <translation>只有一种规模，画不出直线。请至少训练两种不同的规模，最好四种。</translation>
  </message>
  <message>
   <source>There is no model '{name}'. Presets: {presets}. Your newest runs: {runs}. Your newest imported models: {models}. You can also give the folder of a run or a checkpoint. Published weights and files of other programs must be imported first, with gptstudio import or in the menu Model.</source>
   <translation>没有模型“{name}”。预设：{presets}。最近的训练：{runs}。最近导入的模型：{models}。也可以给出训练或检查点的文件夹。已发布的权重和其他程序的文件须先导入：用 gptstudio import，或在“模型”菜单中。</translation>
  </message>
  <message>
   <source>There is no position {position}: the last word has position {last}.</source>
   <translation>没有位置 {position}：最后一个词的位置是 {last}。</translation>
  </message>
  <message>
   <source>There is no result yet.</source>
   <translation>还没有结果。</translation>
  </message>
  <message>
   <source>There is no run in the view.</source>
   <translation>视图中没有训练。</translation>
  </message>
  <message>
   <source>There is no run to hand in: your guesses and goals in lessons are handed in alone. To hand in a run, open it on Train first.</source>
   <translation>没有可以提交的训练：只提交你在课程中的猜测和目标。要提交训练，请先在“训练”页打开它。</translation>
  </message>
  <message>
   <source>There is no sample in this file.</source>
   <translation>这个文件中没有样本。</translation>
  </message>
  <message>
   <source>There is no sweep to export.</source>
   <translation>没有可导出的参数扫描。</translation>
  </message>
  <message>
   <source>There is no text to continue. Type a prompt first.</source>
   <translation>没有可续写的文本。请先输入提示词。</translation>
  </message>
  <message>
   <source>There is no text yet. Generate one first, and then click a token in it.</source>
   <translation>还没有文本。请先生成一段，再点击其中的一个词元。</translation>
  </message>
  <message>
   <source>There is no text yet. Generate one first.</source>
   <translation>还没有文本。请先生成一段。</translation>
  </message>
  <message>
   <source>There is no word to show.</source>
   <translation>没有可以显示的词。</translation>
  </message>
  <message>
   <source>There is not enough memory {purpose}: it needs {size}, but only {free} of {total} are free on {name}. Choose a smaller model, batch size or context length, or close other programs.</source>
   <translation>内存不足，无法{purpose}：需要 {size}，而 {name} 的 {total} 中只有 {free} 空闲。请选择更小的模型、批次大小或上下文长度，或关闭其他程序。</translation>
  </message>
  <message>
   <source>There is not enough memory. Choose a smaller model, batch size or context length, or close other programs.</source>
   <translation>内存不足。请选择更小的模型、批次大小或上下文长度，或关闭其他程序。</translation>
  </message>
  <message>
   <source>There is nothing after this.</source>
   <translation>后面没有内容了。</translation>
  </message>
  <message>
   <source>There is nothing before this.</source>
   <translation>前面没有内容了。</translation>
  </message>
  <message>
   <source>There is nothing to delete.</source>
   <translation>没有可删除的内容。</translation>
  </message>
  <message>
   <source>There is nothing to hand in yet. Train a model on Train, or do a lesson on Learn.</source>
   <translation>还没有可以提交的内容。请在“训练”页训练一个模型，或在“学习”页学一门课程。</translation>
  </message>
  <message>
   <source>There is nothing to redo.</source>
   <translation>没有可重做的操作。</translation>
  </message>
  <message>
   <source>There is nothing to undo.</source>
   <translation>没有可撤销的操作。</translation>
  </message>
  <message>
   <source>There is only one reading so far.</source>
   <translation>目前只有一个读数。</translation>
  </message>
  <message>
   <source>There is only one.</source>
   <translation>只有一个。</translation>
  </message>
  <message>
   <source>There is something to copy on Train, Generate and Runs.</source>
   <translation>可在“训练”“生成”和“训练记录”页复制。</translation>
  </message>
  <message>
   <source>These are not the weights of a GPT-2 for text generation: they lack {missing} and contain {unknown}. Choose a model with the GPT-2 architecture.</source>
   <translation>这不是用于文本生成的 GPT-2 的权重：缺少 {missing}，却含有 {unknown}。请选择采用 GPT-2 架构的模型。</translation>
  </message>
  <message>
   <source>These settings cannot be changed during a run. Stop it first.</source>
   <translation>训练期间不能更改这些设置。请先停止训练。</translation>
  </message>
  <message>
   <source>These sizes have been trained: the chart shows them.</source>
   <translation>这些规模已经训练过：图中显示的就是它们。</translation>
  </message>
  <message>
   <source>These weights cannot be opened as a GPT-2: {problem}</source>
   <translation>这些权重无法作为 GPT-2 打开：{problem}</translation>
  </message>
  <message>
   <source>These weights contain {name} twice, under different prefixes. Choose a file with only one model.</source>
   <translation>{name} 在这些权重中出现了两次，前缀不同。请选择只含一个模型的文件。</translation>
  </message>
  <message>
   <source>These weights contain {unknown}, which a GPT-2 for text generation does not have. They belong to another kind of model or were adapted to another task. Choose a GPT-2 for text generation.</source>
   <translation>这些权重含有 {unknown}，而用于文本生成的 GPT-2 没有它。它们属于另一种模型，或为其他任务改动过。请选择用于文本生成的 GPT-2。</translation>
  </message>
  <message>
   <source>These weights lack {missing}. They are incomplete or belong to another kind of model. Choose all files of one GPT-2.</source>
   <translation>这些权重缺少 {missing}。它们不完整，或属于另一种模型；请选择一个 GPT-2 的全部文件。</translation>
  </message>
  <message>
   <source>They are the same.</source>
   <translation>两者相同。</translation>
  </message>
  <message>
   <source>They diverge at group {n} of new tokens: {left} and {right}</source>
   <translation>从第 {n} 组新词元起不同：{left} 和 {right}</translation>
  </message>
  <message>
   <source>They diverge at new token {n}, marked with │.</source>
   <translation>两者从第 {n} 个新词元起不同，以 │ 标出。</translation>
  </message>
  <message>
   <source>They diverge at new token {n}: {left} and {right}</source>
   <translation>从第 {n} 个新词元起不同：{left} 和 {right}</translation>
  </message>
  <message>
   <source>Thin bar: the probability that a table of the training text gives the token after the last two tokens. The table only looks up what followed them there.</source>
   <translation>细条：训练文本的表在最后两个词元之后给这个词元的概率。这张表只查找在那里接在它们后面的是什么。</translation>
  </message>
  <message>
   <source>Third bar: the probability with the changes set in What if</source>
   <translation>第三条：带“假如”面板中的改动时的概率</translation>
  </message>
  <message>
   <source>This collects what helps to find the cause of a problem. Nothing is sent: the report is saved as a file where you choose. Clear what you do not want in it; below is exactly what it will contain.</source>
   <translation>这里收集有助于查明问题原因的信息。不会发送任何东西：报告保存为文件，位置由你选择。取消勾选不想包含的内容；下面就是报告的全部内容。</translation>
  </message>
  <message>
   <source>This command trains the same model again, where the text is the same:</source>
   <translation>只要文本相同，这条命令就会重新训练出同样的模型：</translation>
  </message>
  <message>
   <source>This config.json does not say that it describes a GPT-2 model. Choose the one that belongs to the weights.</source>
   <translation>这个 config.json 没有说明它描述的是 GPT-2。请选择与权重配套的那一个。</translation>
  </message>
  <message>
   <source>This copy of GPT Studio does not know where its releases are published. Its build can set the address, or you can: as releases in the settings file, or in the environment variable {variable}.</source>
   <translation>这份 GPT Studio 没有发布页的地址。地址可以在构建时设定，也可以由你设定：设置文件中的 releases，或环境变量 {variable}。</translation>
  </message>
  <message>
   <source>This counts only while {name} is {value}.</source>
   <translation>只有当{name}为 {value} 时才算达到。</translation>
  </message>
  <message>
   <source>This field holds up to {most} characters. Characters left out from the start of the pasted text: {n}.</source>
   <translation>此栏最多容纳 {most} 个字符：粘贴内容开头的 {n} 个字符已略去。</translation>
  </message>
  <message>
   <source>This head</source>
   <translation>这个头</translation>
  </message>
  <message>
   <source>This is greedy decoding: nothing is random, so the same prompt always continues in the same way.</source>
   <translation>这就是贪心解码：没有随机性，所以同样的提示词总是得到同样的续写。</translation>
  </message>
  <message>
   <source>This is one of your own runs. Only folders added from elsewhere can be removed from the list.</source>
   <translation>这是你自己的训练。只有从别处添加的文件夹才能从列表中移除。</translation>
  </message>
  <message>
   <source>This is the first callout.</source>
   <translation>这是第一个提示。</translation>
  </message>
  <message>
   <source>This is the first one.</source>
   <translation>这是第一个。</translation>
  </message>
  <message>
   <source>This is the first question.</source>
   <translation>这是第一个问题。</translation>
  </message>
  <message>
   <source>This is the first row of the table.</source>
   <translation>这是表格的第一行。</translation>
  </message>
  <message>
   <source>This is the first step.</source>
   <translation>这是第一步。</translation>
  </message>
  <message>
   <source>This is the first text.</source>
   <translation>这是第一段文本。</translation>
  </message>
  <message>
   <source>This is the first token.</source>
   <translation>这是第一个词元。</translation>
  </message>
  <message>
   <source>This is the last checkpoint. Select an earlier one to compare with it.</source>
   <translation>这是最后一个检查点。请选择较早的检查点与它比较。</translation>
  </message>
  <message>
   <source>This is the last one.</source>
   <translation>这是最后一个。</translation>
  </message>
  <message>
   <source>This is the last question.</source>
   <translation>这是最后一个问题。</translation>
  </message>
  <message>
   <source>This is the last row of the table.</source>
   <translation>这是表格的最后一行。</translation>
  </message>
  <message>
   <source>This is the last text.</source>
   <translation>这是最后一段文本。</translation>
  </message>
  <message>
   <source>This is the last token.</source>
   <translation>这是最后一个词元。</translation>
  </message>
  <message>
   <source>This model has no token {token}; its token IDs are below {vocabulary}. Choose another token.</source>
   <translation>该模型没有词元 {token}；它的词元 ID 都小于 {vocabulary}。请选择其他词元。</translation>
  </message>
  <message>
   <source>This model has no {name}: its layers are 0 to {layers}, its heads 0 to {heads}.</source>
   <translation>这个模型没有 {name}：它的层是 0 到 {layers}，头是 0 到 {heads}。</translation>
  </message>
  <message>
   <source>This model has {n} parameters.</source>
   <translation>此模型有 {n} 个参数。</translation>
  </message>
  <message>
   <source>This model has {n} positions.</source>
   <translation>此模型有 {n} 个位置。</translation>
  </message>
  <message>
   <source>This model includes its own program code (auto_map in config.json). GPT Studio never runs code from others, and without it the weights may mean something else. Choose a model with the GPT-2 architecture.</source>
   <translation>这个模型自带程序代码（见 config.json 中的 auto_map）。GPT Studio 从不运行他人的代码，而没有这些代码，权重的含义可能不同。请选择采用 GPT-2 架构的模型。</translation>
  </message>
  <message>
   <source>This model is still in training (step {n} of {all}), so the same settings can give another result each time. Wait until the training ends, or choose a saved model.</source>
   <translation>这个模型仍在训练（第 {n} 步，共 {all} 步），相同的设置每次可能得到不同的结果。请等训练结束，或选择一个已保存的模型。</translation>
  </message>
  <message>
   <source>This model is untrained, so each probability is near 1 in 50,257. A trained model gives higher ones to tokens that it has learned.</source>
   <translation>这个模型未经训练，所以每个概率都接近 1/50,257。训练过的模型会给它学过的词元更高的概率。</translation>
  </message>
  <message>
   <source>This model is untrained. With a trained one, the chart shows what training changed.</source>
   <translation>这个模型未经训练。换成训练过的模型，图中就能看出训练改变了什么。</translation>
  </message>
  <message>
   <source>This model is untrained: it has read no text.</source>
   <translation>此模型未经训练：它没有读过任何文本。</translation>
  </message>
  <message>
   <source>This model is untrained: its embeddings are still the initial ones.</source>
   <translation>这个模型尚未训练：嵌入仍是初始值。</translation>
  </message>
  <message>
   <source>This model is untrained: its weights are random, so its text is nonsense. A trained model continues the prompt with words that often follow each other in its training text.</source>
   <translation>这个模型未经训练：权重是随机的，所以生成的文本没有意义。训练过的模型会用训练文本中常常前后相接的词来续写提示词。</translation>
  </message>
  <message>
   <source>This model knows {n} tokens.</source>
   <translation>此模型认识 {n} 个词元。</translation>
  </message>
  <message>
   <source>This model reads {n} tokens at once.</source>
   <translation>此模型一次读取 {n} 个词元。</translation>
  </message>
  <message>
   <source>This name already exists. An earlier export will be replaced; anything else is left as it is.</source>
   <translation>此名称已存在。先前的导出会被替换；其他内容保留。</translation>
  </message>
  <message>
   <source>This name is taken or is not valid on every system. The model will be called {name}.</source>
   <translation>此名称已被使用，或并非所有系统都允许。模型将命名为 {name}。</translation>
  </message>
  <message>
   <source>This page is locked by your instructor.</source>
   <translation>教师已锁定此页。</translation>
  </message>
  <message>
   <source>This run</source>
   <translation>本次训练</translation>
  </message>
  <message>
   <source>This run has a vocabulary of its own, but a plain script has only GPT-2's tokenizer and would train a different model. Export the trained model instead.</source>
   <translation>该训练有自己的词表，而独立脚本只有 GPT-2 的分词器，会训练出另一个模型。请改为导出训练好的模型。</translation>
  </message>
  <message>
   <source>This run has no sample.</source>
   <translation>这次训练没有样本。</translation>
  </message>
  <message>
   <source>This run is in epoch {n}.</source>
   <translation>本次训练进行到第 {n} 轮。</translation>
  </message>
  <message>
   <source>This run is still in progress.</source>
   <translation>这次训练正在进行。</translation>
  </message>
  <message>
   <source>This run started from the weights of {init_from}, but a plain script starts from random weights and would train a different model. Export the trained model instead.</source>
   <translation>该训练从 {init_from} 的权重开始，而独立脚本从随机权重开始，会训练出另一个模型。请改为导出训练好的模型。</translation>
  </message>
  <message>
   <source>This run was computed {before} and continues {now}. Sums are added in a different order, so the last digits may differ.</source>
   <translation>该训练此前{before}计算，现在{now}继续。求和的顺序不同，最后几位数字可能有差异。</translation>
  </message>
  <message>
   <source>This run was started before the lesson. Start a new one.</source>
   <translation>这次训练在本课之前就已开始。请重新开始一次。</translation>
  </message>
  <message>
   <source>This step is on a page that your instructor has locked.</source>
   <translation>教师锁定了这一步所在的页面。</translation>
  </message>
  <message>
   <source>This step's text “{name}” is neither beside the lesson nor in this computer's folder for texts, so the text was not changed.</source>
   <translation>这一步所用的文本“{name}”既不在课程文件旁边，也不在本机的文本文件夹中，因此没有更换文本。</translation>
  </message>
  <message>
   <source>This step: {spent} of {planned} min. Lesson: {done} of {minutes} min since it was opened.</source>
   <translation>这一步：{spent} / {planned} 分钟。课程：打开以来 {done} / {minutes} 分钟。</translation>
  </message>
  <message>
   <source>This sweep would be a single run. Vary a setting with at least two values, or use several seeds.</source>
   <translation>此参数扫描只有一次训练。请为某个设置给出至少两个取值，或使用多个种子。</translation>
  </message>
  <message>
   <source>This sweep would have {n} runs; it can have at most {most}.</source>
   <translation>此参数扫描将有 {n} 次训练；最多为 {most} 次。</translation>
  </message>
  <message>
   <source>This text was generated by {model}. From here on, the model selected now is used.</source>
   <translation>这段文本由 {model} 生成。从这里起使用现在选中的模型。</translation>
  </message>
  <message>
   <source>This untrained model has a vocabulary of its own, which neither the command nor the Python code can make. Train the model first.</source>
   <translation>这个未训练的模型使用自己的词表，命令和 Python 代码都无法生成它。请先训练模型。</translation>
  </message>
  <message>
   <source>This was so before the step began. Change it, and then come back to it.</source>
   <translation>这一步开始之前就是这样。请先改成别的，再改回来。</translation>
  </message>
  <message>
   <source>This window is training another run.</source>
   <translation>本窗口正在进行另一次训练。</translation>
  </message>
  <message>
   <source>This window is training. Stop the run first.</source>
   <translation>此窗口正在训练。请先停止训练。</translation>
  </message>
  <message>
   <source>Threads</source>
   <translation>线程数</translation>
  </message>
  <message>
   <source>Threads (from the next start)</source>
   <translation>线程数（下次启动生效）</translation>
  </message>
  <message>
   <source>Threads that training and generation use, from the next start on. With another number, sums are added in another order, so a run that continues is no longer equal to the last bit.</source>
   <translation>训练和生成使用的线程数，下次启动时生效。线程数不同，求和的次序就不同，因此继续的训练不再与原来逐位相同。</translation>
  </message>
  <message>
   <source>Three optimizers</source>
   <translation>三种优化器</translation>
  </message>
  <message>
   <source>Three separate rates</source>
   <translation>三个不同的丢弃率</translation>
  </message>
  <message>
   <source>Tie output to embedding</source>
   <translation>输出层与嵌入共享权重</translation>
  </message>
  <message>
   <source>Tied to the token embedding.</source>
   <translation>与词元嵌入共享。</translation>
  </message>
  <message>
   <source>Time</source>
   <translation>时间</translation>
  </message>
  <message>
   <source>Time (min)</source>
   <translation>时间（分钟）</translation>
  </message>
  <message>
   <source>Time left</source>
   <translation>剩余时间</translation>
  </message>
  <message>
   <source>Time: {ms} ms</source>
   <translation>用时 {ms} 毫秒</translation>
  </message>
  <message>
   <source>Time: {time}</source>
   <translation>时间：{time}</translation>
  </message>
  <message>
   <source>Title</source>
   <translation>标题</translation>
  </message>
  <message>
   <source>Title of the lesson</source>
   <translation>课程标题</translation>
  </message>
  <message>
   <source>To</source>
   <translation>到</translation>
  </message>
  <message>
   <source>To continue, choose another token or press Generate.</source>
   <translation>要继续，请选另一个词元，或按“生成”。</translation>
  </message>
  <message>
   <source>To download</source>
   <translation>需下载</translation>
  </message>
  <message>
   <source>To include in a problem report</source>
   <translation>用于反馈问题</translation>
  </message>
  <message>
   <source>To open on another machine: with all checkpoints, the last one, its weights, or none</source>
   <translation>可以在另一台电脑上打开：包含全部检查点、最后一个检查点、仅其权重，或不含检查点</translation>
  </message>
  <message>
   <source>To the end</source>
   <translation>到末尾</translation>
  </message>
  <message>
   <source>To the first token (Home)</source>
   <translation>到第一个词元（Home）</translation>
  </message>
  <message>
   <source>To the last token (End)</source>
   <translation>到最后一个词元（End）</translation>
  </message>
  <message>
   <source>To the next token (Right or S)</source>
   <translation>到下一个词元（右方向键或 S）</translation>
  </message>
  <message>
   <source>To the previous token (Left)</source>
   <translation>到前一个词元（左方向键）</translation>
  </message>
  <message>
   <source>To the start</source>
   <translation>到开头</translation>
  </message>
  <message>
   <source>To the token after this one where the entropy is highest; after the last one, to that of the whole text (N)</source>
   <translation>转到当前词元之后熵最高的词元；到最后一个之后，转到全文中熵最高的词元（N）</translation>
  </message>
  <message>
   <source>Token</source>
   <translation>词元</translation>
  </message>
  <message>
   <source>Token IDs</source>
   <translation>词元 ID</translation>
  </message>
  <message>
   <source>Token IDs, with the position below each</source>
   <translation>词元 ID，下方是各自的位置</translation>
  </message>
  <message>
   <source>Token embedding</source>
   <translation>词元嵌入</translation>
  </message>
  <message>
   <source>Token to read instead</source>
   <translation>改读的词元</translation>
  </message>
  <message>
   <source>Token {n} of {all}</source>
   <translation>第 {n} 个词元，共 {all} 个</translation>
  </message>
  <message>
   <source>Token {n}: “{piece}”, ID {id}. Over all windows, {inputs} × as input and {targets} × as target.</source>
   <translation>词元 {n}：“{piece}”，ID {id}。在所有窗口中作为输入 {inputs} 次，作为目标 {targets} 次。</translation>
  </message>
  <message>
   <source>Tokenising progress</source>
   <translation>分词进度</translation>
  </message>
  <message>
   <source>Tokenising {name}: {done} of {all}</source>
   <translation>正在对 {name} 分词：{done} / {all}</translation>
  </message>
  <message>
   <source>Tokenizer</source>
   <translation>分词器</translation>
  </message>
  <message>
   <source>Tokens</source>
   <translation>词元数</translation>
  </message>
  <message>
   <source>Tokens / character</source>
   <translation>词元/字符</translation>
  </message>
  <message>
   <source>Tokens and Vocabulary are {tokens} and {vocabulary}; set the number of tokens in one of the two.</source>
   <translation>词元数是 {tokens}，而词表是 {vocabulary}；请只在其中一处设置词元数。</translation>
  </message>
  <message>
   <source>Tokens and merges</source>
   <translation>词元与合并</translation>
  </message>
  <message>
   <source>Tokens and the windows over them</source>
   <translation>词元及其上的窗口</translation>
  </message>
  <message>
   <source>Tokens counted: {tokens}  ·  tokens of the validation text: {validation}</source>
   <translation>统计的词元：{tokens}  ·  验证文本的词元：{validation}</translation>
  </message>
  <message>
   <source>Tokens in a window.</source>
   <translation>一个窗口中的词元数。</translation>
  </message>
  <message>
   <source>Tokens must be at least {least} for GPT-2's tokenizer to read text, not {size}.</source>
   <translation>词元数：{size} 无效；要读取文本，GPT-2 的分词器至少需要 {least} 个。</translation>
  </message>
  <message>
   <source>Tokens must be between {least} and {most} for a vocabulary of the text itself, not {size}.</source>
   <translation>词元数：{size} 无效；由文本自己生成的词表必须有 {least} 至 {most} 个。</translation>
  </message>
  <message>
   <source>Tokens of both prompts, position by position</source>
   <translation>两个提示词的词元，按位置对齐</translation>
  </message>
  <message>
   <source>Tokens of the text</source>
   <translation>文本的词元</translation>
  </message>
  <message>
   <source>Tokens of the text: {tokens} (bytes: {bytes})  ·  bytes per token: {ratio}  ·  vocabulary: {size} tokens</source>
   <translation>文本的词元数：{tokens}（字节：{bytes}）  ·  每词元字节数：{ratio}  ·  词表：{size} 个词元</translation>
  </message>
  <message>
   <source>Tokens of the vocabulary, the most frequent first</source>
   <translation>词表中的词元，最常见的在前</translation>
  </message>
  <message>
   <source>Tokens per second</source>
   <translation>每秒词元数</translation>
  </message>
  <message>
   <source>Tokens per text</source>
   <translation>每段词元数</translation>
  </message>
  <message>
   <source>Tokens read</source>
   <translation>读过的词元</translation>
  </message>
  <message>
   <source>Tokens seen</source>
   <translation>已见词元</translation>
  </message>
  <message>
   <source>Tokens seen by this run: {n}.</source>
   <translation>本次训练已读 {n} 个词元。</translation>
  </message>
  <message>
   <source>Tokens that this token attends to most</source>
   <translation>这个词元最关注的词元</translation>
  </message>
  <message>
   <source>Tokens used as input: {inputs}  ·  more than once: {repeated}  ·  in no window: {skipped}</source>
   <translation>用作输入的词元：{inputs}  ·  其中不止一次：{repeated}  ·  不在任何窗口中：{skipped}</translation>
  </message>
  <message>
   <source>Tokens whose embeddings point in similar directions. Cosine similarity 1: same direction; 0: nothing in common. Dot: in both lists. Click a token to see its neighbours.</source>
   <translation>嵌入方向相近的词元。余弦相似度为 1：方向相同；为 0：毫无共同之处。圆点：两个列表里都有。单击词元，查看它的近邻。</translation>
  </message>
  <message>
   <source>Tokens/s</source>
   <translation>词元/秒</translation>
  </message>
  <message>
   <source>Tokens: {tokens}  ·  unique: {unique}  ·  bytes per token: {ratio}</source>
   <translation>词元数：{tokens}  ·  不同：{unique}  ·  每词元字节数：{ratio}</translation>
  </message>
  <message>
   <source>Tokens: {tokens}  ·  windows: {windows}  ·  batches: {batches}  ·  windows left over: {dropped}</source>
   <translation>词元：{tokens}  ·  窗口：{windows}  ·  批次：{batches}  ·  剩余窗口：{dropped}</translation>
  </message>
  <message>
   <source>Tokens: {tokens}  ·  words: {words}  ·  characters: {characters}  ·  bytes: {bytes}</source>
   <translation>词元：{tokens}  ·  词：{words}  ·  字符：{characters}  ·  字节：{bytes}</translation>
  </message>
  <message>
   <source>Top-k</source>
   <translation>Top-k</translation>
  </message>
  <message>
   <source>Top-k keeps only the k largest logits and sets the others to −∞, which softmax turns into 0, so absurd words are never drawn. Remove top-k, raise the temperature, and wait for pizza.</source>
   <translation>top-k 只保留最大的 k 个 logits，其余设为 −∞，softmax 把它们变成 0，所以荒唐的词永远抽不到。去掉 top-k、调高温度，等着 pizza 出现吧。</translation>
  </message>
  <message>
   <source>Top-p</source>
   <translation>Top-p</translation>
  </message>
  <message>
   <source>Total bits</source>
   <translation>总比特数</translation>
  </message>
  <message>
   <source>Total bits divided by bytes: a fair comparison even between models with different tokenizers. Plain text takes 8 bits per byte.</source>
   <translation>总比特数除以字节数，对分词方式不同的模型也公平。纯文本每字节占 8 比特。</translation>
  </message>
  <message>
   <source>Total surprisal: the number of bits needed to encode this text for someone who has the same model.</source>
   <translation>总惊讶度：为拥有同一模型的人编码这段文本所需的比特数。</translation>
  </message>
  <message>
   <source>Tour of the window</source>
   <translation>窗口导览</translation>
  </message>
  <message>
   <source>Traces of crashes</source>
   <translation>崩溃记录</translation>
  </message>
  <message>
   <source>Train</source>
   <translation>训练</translation>
  </message>
  <message>
   <source>Train a model</source>
   <translation>训练一个模型</translation>
  </message>
  <message>
   <source>Train a model first to have two to compare.</source>
   <translation>请先训练一个模型，才有两个可供比较。</translation>
  </message>
  <message>
   <source>Train a model now</source>
   <translation>现在就训练一个模型</translation>
  </message>
  <message>
   <source>Train a small model (about a minute)</source>
   <translation>训练一个小模型（约一分钟）</translation>
  </message>
  <message>
   <source>Train longer</source>
   <translation>延长训练</translation>
  </message>
  <message>
   <source>Train longer…</source>
   <translation>延长训练…</translation>
  </message>
  <message>
   <source>Train on these</source>
   <translation>用这些训练</translation>
  </message>
  <message>
   <source>Train the run longer or with other values, rename it, move it to the trash, show its folder</source>
   <translation>延长训练或以其他值再次训练，重命名，移到回收站，打开其文件夹</translation>
  </message>
  <message>
   <source>Train these sizes</source>
   <translation>训练这些规模</translation>
  </message>
  <message>
   <source>Train with it</source>
   <translation>用它训练</translation>
  </message>
  <message>
   <source>Train, compare runs, view texts, generate</source>
   <translation>训练、比较训练记录、查看文本、生成</translation>
  </message>
  <message>
   <source>Trained here, in memory (at most {memory}): {text}, seeds: {seeds}</source>
   <translation>在此训练，只在内存中（最多 {memory}）：{text}，种子数：{seeds}</translation>
  </message>
  <message>
   <source>Trained parameters: {n} of {total}.</source>
   <translation>{total} 个参数中有 {n} 个参与训练。</translation>
  </message>
  <message>
   <source>Trained vs. table of 3-grams</source>
   <translation>已训练与 3-gram 表</translation>
  </message>
  <message>
   <source>Trained with</source>
   <translation>训练所用版本</translation>
  </message>
  <message>
   <source>Training</source>
   <translation>训练</translation>
  </message>
  <message>
   <source>Training and generation</source>
   <translation>训练与生成</translation>
  </message>
  <message>
   <source>Training diverged.</source>
   <translation>训练发散了。</translation>
  </message>
  <message>
   <source>Training has diverged. {what} at step {step} (step {taken} of epoch {epoch}), on the batch that starts with “{text}”.</source>
   <translation>训练已发散。{what}：第 {step} 步（第 {epoch} 轮的第 {taken} 步），该批次以“{text}”开头。</translation>
  </message>
  <message>
   <source>Training has diverged: the weights of step {step} are no longer valid numbers, so they were not saved. Try a tenth of the learning rate, or a gradient clip of 1.</source>
   <translation>训练已发散：第 {step} 步的权重不再是有效的数，因此没有保存。可试十分之一的学习率，或将梯度裁剪设为 1。</translation>
  </message>
  <message>
   <source>Training is in progress, so no settings were changed. Wait until it finishes, or stop it.</source>
   <translation>训练正在进行，所以没有更改任何设置。请等它结束，或停止它。</translation>
  </message>
  <message>
   <source>Training is in progress.</source>
   <translation>训练正在进行。</translation>
  </message>
  <message>
   <source>Training is in progress. Stop it first.</source>
   <translation>正在训练。请先停止。</translation>
  </message>
  <message>
   <source>Training is locked by your instructor.</source>
   <translation>教师已锁定训练。</translation>
  </message>
  <message>
   <source>Training is running</source>
   <translation>训练正在进行</translation>
  </message>
  <message>
   <source>Training loss</source>
   <translation>训练损失</translation>
  </message>
  <message>
   <source>Training runs backwards: starting from the loss, every weight gets its gradient, which says how to change it. The gradient that reaches the first layer is a product with one factor J for each later layer. These factors are mostly small, so the more layers, the less arrives.</source>
   <translation>训练时信号反向传播：从损失出发，每个权重得到自己的梯度，即该怎样改变。到达第一层的梯度是一个乘积，它后面的每一层各贡献一个因子 J，而这些因子大多很小：层数越多，到达的就越少。</translation>
  </message>
  <message>
   <source>Training runs that diverged and are left out of the means: {n}.</source>
   <translation>已发散、未计入均值的训练次数：{n}。</translation>
  </message>
  <message>
   <source>Training share</source>
   <translation>训练比例</translation>
  </message>
  <message>
   <source>Training step</source>
   <translation>训练步</translation>
  </message>
  <message>
   <source>Training steps</source>
   <translation>训练步数</translation>
  </message>
  <message>
   <source>Training text: verdict (The Verdict, Edith Wharton, 1908); story, grimm or luxun (included with GPT Studio: English, German, Chinese); a file, or a folder of .txt and .md files. Can be given several times.</source>
   <translation>训练文本：verdict（The Verdict，Edith Wharton，1908 年）；story、grimm 或 luxun（随 GPT Studio 提供：英文、德文、中文）；一个文件，或装有 .txt 和 .md 文件的文件夹。可以给出多次。</translation>
  </message>
  <message>
   <source>Training time</source>
   <translation>训练时间</translation>
  </message>
  <message>
   <source>Training time in minutes</source>
   <translation>训练时间（分钟）</translation>
  </message>
  <message>
   <source>Training tokens per epoch</source>
   <translation>每轮的训练词元</translation>
  </message>
  <message>
   <source>Training tokens processed per second</source>
   <translation>每秒训练的词元数</translation>
  </message>
  <message>
   <source>Training: step {n} of {all}</source>
   <translation>正在训练：第 {n} 步，共 {all} 步</translation>
  </message>
  <message>
   <source>Training: train()</source>
   <translation>训练：train()</translation>
  </message>
  <message>
   <source>Trains a copy of the model for up to 60 steps while the learning rate grows. Below the band, it learns slowly; above, the loss rises again. Thin: the loss of each batch; thick: its average over five steps; dotted: its exponential average, which lags behind and ends the test at four times its lowest value.</source>
   <translation>用模型的一个副本训练最多 60 步，学习率逐步增大。低于色带时学得慢，高于色带时损失又会上升。细线：每个批次的损失；粗线：五步的平均；虚点线：指数平均，它有滞后，达到其最低值的四倍时测试结束。</translation>
  </message>
  <message>
   <source>Trains a model in the background with the default settings; your own settings on Train stay as they are</source>
   <translation>用默认设置在后台训练一个模型；你在“训练”页上的设置不变</translation>
  </message>
  <message>
   <source>Trains a new run with these settings. The run in the view is saved, and stays in Runs.</source>
   <translation>用这些设置开始新的训练。当前显示的训练已保存，仍在“训练记录”中。</translation>
  </message>
  <message>
   <source>Trains all sizes with these settings in the background, in memory: no run is saved</source>
   <translation>用这些设置在后台训练所有规模，只在内存中：不保存训练</translation>
  </message>
  <message>
   <source>Trains it several times, with other values of one or two settings or other seeds</source>
   <translation>换用一两个设置的其他取值或其他随机种子，多次训练它</translation>
  </message>
  <message>
   <source>Trains the runs that are left, one after the other</source>
   <translation>依次训练剩余的各次训练</translation>
  </message>
  <message>
   <source>Transformer blocks of each model.</source>
   <translation>每个模型的 Transformer 块数。</translation>
  </message>
  <message>
   <source>Tree (*.json)</source>
   <translation>分支树 (*.json)</translation>
  </message>
  <message>
   <source>Try</source>
   <translation>试一试</translation>
  </message>
  <message>
   <source>Try it</source>
   <translation>试一试</translation>
  </message>
  <message>
   <source>Try: {what}</source>
   <translation>试一试：{what}</translation>
  </message>
  <message>
   <source>Turn on “Attention on the text” first.</source>
   <translation>请先打开“在文本上显示注意力”。</translation>
  </message>
  <message>
   <source>Turns top-k off</source>
   <translation>不使用 top-k</translation>
  </message>
  <message>
   <source>Turns what you do in the window into steps, each with what you did as its goal</source>
   <translation>把你在窗口中所做的变成步骤，所做的就是每一步的目标</translation>
  </message>
  <message>
   <source>Twenty-one experiments and five lessons explain what happens inside. F1 opens the manual at the control that has the focus; Ctrl+K finds any command.</source>
   <translation>二十一个实验和五门课程解释内部发生了什么。按 F1 打开手册中与当前控件对应的位置；按 Ctrl+K 查找任何命令。</translation>
  </message>
  <message>
   <source>Two heads</source>
   <translation>两个头</translation>
  </message>
  <message>
   <source>Two models, or one model with two settings, continue the same prompt, and you see where their texts diverge and how far. At each position, both sides use the same random number: every difference comes from the models or their sampling settings.

Start with one of the buttons above.</source>
   <translation>两个模型，或同一模型的两组设置，从同一个提示词继续生成，你会看到两段文本从哪里开始不同、相差多远。每个位置两边使用同一个随机数：所有差别都来自模型或采样参数。

可以先试试上面的按钮。</translation>
  </message>
  <message>
   <source>Two prompts</source>
   <translation>两个提示词</translation>
  </message>
  <message>
   <source>Two sentences that differ in one word: where the model keeps the difference.</source>
   <translation>两个句子只差一个词：模型把差别保存在哪里。</translation>
  </message>
  <message>
   <source>Two sentences, an untrained model</source>
   <translation>两个句子，未训练的模型</translation>
  </message>
  <message>
   <source>Two stories in Chinese, Lu Xun, 1919 and 1921</source>
   <translation>鲁迅的两篇中文小说，1919 和 1921</translation>
  </message>
  <message>
   <source>Two tales in German, Brothers Grimm, 1857</source>
   <translation>格林兄弟的两篇德文童话，1857</translation>
  </message>
  <message>
   <source>Two texts from one prompt</source>
   <translation>同一提示词，两段文本</translation>
  </message>
  <message>
   <source>Typ.-p</source>
   <translation>Typ.-p</translation>
  </message>
  <message>
   <source>Type a number, such as 0.5.</source>
   <translation>请输入一个数，例如 0.5。</translation>
  </message>
  <message>
   <source>Type your name first.</source>
   <translation>请先输入名字。</translation>
  </message>
  <message>
   <source>Typed by hand. Type over any probability to change it.</source>
   <translation>手工输入。可直接改写任一概率。</translation>
  </message>
  <message>
   <source>Typical-p</source>
   <translation>Typical-p</translation>
  </message>
  <message>
   <source>UTF-8 with a mark</source>
   <translation>带标记的 UTF-8</translation>
  </message>
  <message>
   <source>Underline copied stretches</source>
   <translation>给照抄的片段加下划线</translation>
  </message>
  <message>
   <source>Undo</source>
   <translation>撤销</translation>
  </message>
  <message>
   <source>Undoes all changes on this page</source>
   <translation>撤销本页上的全部更改</translation>
  </message>
  <message>
   <source>Undoes all changes on this page, and shows the recorded run again</source>
   <translation>撤销本页的所有更改，重新显示记录的训练</translation>
  </message>
  <message>
   <source>Undoes all changes on this page: its input and its model are the book's again</source>
   <translation>撤销本页的所有更改：输入和模型恢复为书中的例子</translation>
  </message>
  <message>
   <source>Undoes the last change (Ctrl+Z)</source>
   <translation>撤销上一次更改（Ctrl+Z）</translation>
  </message>
  <message>
   <source>Unexpected error: {what}</source>
   <translation>意外错误：{what}</translation>
  </message>
  <message>
   <source>Unexpected error: {what}.</source>
   <translation>意外错误：{what}。</translation>
  </message>
  <message>
   <source>Uniform</source>
   <translation>均匀</translation>
  </message>
  <message>
   <source>Unique tokens</source>
   <translation>不同词元</translation>
  </message>
  <message>
   <source>Unit of the loss</source>
   <translation>损失的单位</translation>
  </message>
  <message>
   <source>Unit of the loss. Losses per token of different vocabularies cannot be compared: longer tokens are harder to predict, but there are fewer of them. Bits per byte of the text can be.</source>
   <translation>损失的单位。词表不同，每词元的损失不能比较：较长的词元更难预测，但数量更少。文本的每字节比特可以比较。</translation>
  </message>
  <message>
   <source>Units of memory</source>
   <translation>内存单位</translation>
  </message>
  <message>
   <source>Unpacking {name}</source>
   <translation>正在解包 {name}</translation>
  </message>
  <message>
   <source>Until then, the log of this run is kept in memory.</source>
   <translation>在此之前，这次训练的日志保存在内存中。</translation>
  </message>
  <message>
   <source>Untrained</source>
   <translation>未训练</translation>
  </message>
  <message>
   <source>Untrained vs. trained</source>
   <translation>未训练与已训练</translation>
  </message>
  <message>
   <source>Untrained, as set in the Model panel</source>
   <translation>未训练，按“模型”面板的设置</translation>
  </message>
  <message>
   <source>Up</source>
   <translation>上移</translation>
  </message>
  <message>
   <source>Update ratio</source>
   <translation>更新比</translation>
  </message>
  <message>
   <source>Use a shorter context</source>
   <translation>改用更短的上下文长度</translation>
  </message>
  <message>
   <source>Use context length {n}</source>
   <translation>把上下文长度改为 {n}</translation>
  </message>
  <message>
   <source>Use smaller settings</source>
   <translation>使用较小的设置</translation>
  </message>
  <message>
   <source>Use the generated text</source>
   <translation>使用生成的文本</translation>
  </message>
  <message>
   <source>Use the included story instead</source>
   <translation>改用自带的故事</translation>
  </message>
  <message>
   <source>Use the rate</source>
   <translation>使用学习率</translation>
  </message>
  <message>
   <source>Use the shape of</source>
   <translation>套用形状：</translation>
  </message>
  <message>
   <source>Use the shape of {model}</source>
   <translation>套用 {model} 的形状</translation>
  </message>
  <message>
   <source>Use this vocabulary</source>
   <translation>使用这个词表</translation>
  </message>
  <message>
   <source>Use {rate}</source>
   <translation>使用 {rate}</translation>
  </message>
  <message>
   <source>Used if the text is 'ids'.</source>
   <translation>文本选 “ids” 时使用。</translation>
  </message>
  <message>
   <source>Used if the text is 'own'; up to 20,000 characters.</source>
   <translation>文本选 “own” 时使用；最多 20,000 个字符。</translation>
  </message>
  <message>
   <source>Used if the text is 'own'; up to 200,000 characters.</source>
   <translation>文本为“own”时使用；最多 200,000 个字符。</translation>
  </message>
  <message>
   <source>Uses one matrix both to read tokens and to predict them, as OpenAI's GPT-2 does. The book keeps two: 163 instead of 124 million parameters.</source>
   <translation>读入词元和预测词元用同一个矩阵，与 OpenAI 的 GPT-2 一样。书中用两个矩阵：参数是 1.63 亿而不是 1.24 亿。</translation>
  </message>
  <message>
   <source>Uses one matrix both to read tokens and to predict them, as in OpenAI's GPT-2; the book keeps two.</source>
   <translation>读入词元和预测词元用同一个矩阵，如 OpenAI 的 GPT-2；书中用两个。</translation>
  </message>
  <message>
   <source>Uses the next random seed</source>
   <translation>使用下一个随机种子</translation>
  </message>
  <message>
   <source>Uses the next random seed.</source>
   <translation>使用下一个随机种子。</translation>
  </message>
  <message>
   <source>Uses the selected texts in the Train tab</source>
   <translation>在“训练”页使用选中的文本</translation>
  </message>
  <message>
   <source>Val. perplexity</source>
   <translation>验证困惑度</translation>
  </message>
  <message>
   <source>Validation</source>
   <translation>验证</translation>
  </message>
  <message>
   <source>Validation loss</source>
   <translation>验证损失</translation>
  </message>
  <message>
   <source>Validation loss (nats per token), logarithmic</source>
   <translation>验证损失（nat/词元），对数刻度</translation>
  </message>
  <message>
   <source>Validation loss against the number of parameters</source>
   <translation>验证损失与参数数量的关系</translation>
  </message>
  <message>
   <source>Validation loss at the start and at the end</source>
   <translation>开始和结束时的验证损失</translation>
  </message>
  <message>
   <source>Validation loss of each table</source>
   <translation>每张表的验证损失</translation>
  </message>
  <message>
   <source>Validation loss of this run: {value} nats per token.</source>
   <translation>本次训练的验证损失：{value} nat/词元。</translation>
  </message>
  <message>
   <source>Validation loss, nats per token</source>
   <translation>验证损失，nat/词元</translation>
  </message>
  <message>
   <source>Value</source>
   <translation>函数值</translation>
  </message>
  <message>
   <source>Value of the goal</source>
   <translation>目标的值</translation>
  </message>
  <message>
   <source>Value of {row}, {column}</source>
   <translation>{row}，{column} 的值</translation>
  </message>
  <message>
   <source>Values</source>
   <translation>值</translation>
  </message>
  <message>
   <source>Values at the end</source>
   <translation>结束时的值</translation>
  </message>
  <message>
   <source>Values inside this model are not valid numbers (NaN or infinite), so there is nothing to show. Its weights are damaged, for example because training diverged. Choose an earlier checkpoint or another model.</source>
   <translation>模型内部的值不是有效的数（NaN 或无穷大），因此没有可显示的内容。它的权重已损坏，例如因为训练发散。请选择更早的检查点或其他模型。</translation>
  </message>
  <message>
   <source>Values, split into heads</source>
   <translation>值，拆分到各头</translation>
  </message>
  <message>
   <source>Values, with commas between them</source>
   <translation>取值，以逗号分隔</translation>
  </message>
  <message>
   <source>Vector drawing (*.svg)</source>
   <translation>矢量图 (*.svg)</translation>
  </message>
  <message>
   <source>Vector drawing (SVG)</source>
   <translation>矢量图 (SVG)</translation>
  </message>
  <message>
   <source>Version</source>
   <translation>版本</translation>
  </message>
  <message>
   <source>Version, licences, and where files are kept</source>
   <translation>版本、许可证以及文件的保存位置</translation>
  </message>
  <message>
   <source>Versions of the program and of its libraries</source>
   <translation>程序及其所用库的版本</translation>
  </message>
  <message>
   <source>Versions, and how to reproduce</source>
   <translation>版本与重现方法</translation>
  </message>
  <message>
   <source>Vocabulary</source>
   <translation>词表</translation>
  </message>
  <message>
   <source>Vocabulary ({known}) is too small: the texts contain the token ID {largest}. It must be at least {least}.</source>
   <translation>词表（{known}）太小：文本中有词元 ID {largest}。词表至少须为 {least}。</translation>
  </message>
  <message>
   <source>Vocabulary is “{name}”, but there are no weights to begin with (init_from) that have one. Choose other weights, or another vocabulary.</source>
   <translation>词表为“{name}”，但没有选择带有词表的起始权重（init_from）。请选择其他权重，或选择另一种词表。</translation>
  </message>
  <message>
   <source>Vocabulary with which the text is shown: GPT-2's, one learned from this text, or its characters</source>
   <translation>显示文本所用的词表：GPT-2 的、由此文本学到的，或它的字符</translation>
  </message>
  <message>
   <source>W two times GELU of W one times x plus b one, plus b two</source>
   <translation>W2 乘以 GELU(W1 x + b1)，再加 b2</translation>
  </message>
  <message>
   <source>Waiting</source>
   <translation>等待中</translation>
  </message>
  <message>
   <source>Waiting for the Generate tab to finish…</source>
   <translation>正在等待“生成”页完成…</translation>
  </message>
  <message>
   <source>Waiting for the model…</source>
   <translation>正在等待模型…</translation>
  </message>
  <message>
   <source>Warm-up</source>
   <translation>预热</translation>
  </message>
  <message>
   <source>Warm-up ({warmup} steps) must be shorter than the run ({total} steps), or the learning rate only rises. Choose a shorter warm-up or more steps.</source>
   <translation>预热（{warmup} 步）必须短于整次训练（{total} 步），否则学习率只升不降。请缩短预热或增加步数。</translation>
  </message>
  <message>
   <source>Warning</source>
   <translation>警告</translation>
  </message>
  <message>
   <source>Warnings</source>
   <translation>警告</translation>
  </message>
  <message>
   <source>Was left out of the queue in an earlier version. Retry failed puts it back.</source>
   <translation>在以前的版本中被移出队列。“重试失败的训练”会重新放入。</translation>
  </message>
  <message>
   <source>Watch a model generate text, and change its choices</source>
   <translation>看模型生成文本，并改变它的选择</translation>
  </message>
  <message>
   <source>Watch the loss</source>
   <translation>观察损失</translation>
  </message>
  <message>
   <source>Web page (*.html)</source>
   <translation>网页 (*.html)</translation>
  </message>
  <message>
   <source>Weight decay</source>
   <translation>权重衰减</translation>
  </message>
  <message>
   <source>Weight initialisation</source>
   <translation>权重初始化</translation>
  </message>
  <message>
   <source>Weight norm</source>
   <translation>权重范数</translation>
  </message>
  <message>
   <source>Weights</source>
   <translation>权重</translation>
  </message>
  <message>
   <source>Weights (*.pth *.pt *.safetensors *.bin)</source>
   <translation>权重 (*.pth *.pt *.safetensors *.bin)</translation>
  </message>
  <message>
   <source>Weights saved by the book's code (a state dict)</source>
   <translation>书中代码保存的权重（state dict）</translation>
  </message>
  <message>
   <source>Weights that are not dropped are divided by one minus the rate p.</source>
   <translation>未被丢弃的权重除以 1 减去丢弃率 p。</translation>
  </message>
  <message>
   <source>Weights to start from: an imported model, a run or a checkpoint. Its context length may be longer. The seed then determines only the order of the text and the dropout. Leave empty for random weights, initialised from the seed.</source>
   <translation>从哪些权重开始训练：导入的模型、一次训练或一个检查点。它的上下文长度可以更长。此时种子只决定文本的顺序和 Dropout。留空：由种子随机初始化。</translation>
  </message>
  <message>
   <source>Weights: the row of “{word}” has a number below 0.</source>
   <translation>权重：“{word}”那一行有小于 0 的数。</translation>
  </message>
  <message>
   <source>Weights: the row of “{word}” has only zeros, so no word can follow. Enter a number above 0.</source>
   <translation>权重：“{word}”那一行全是零，所以没有词可以跟在后面。请输入一个大于 0 的数。</translation>
  </message>
  <message>
   <source>Weights: {size}</source>
   <translation>权重：{size}</translation>
  </message>
  <message>
   <source>Welcome to GPT Studio</source>
   <translation>欢迎使用 GPT Studio</translation>
  </message>
  <message>
   <source>Welcome…</source>
   <translation>欢迎…</translation>
  </message>
  <message>
   <source>What a model reads, and what it has to predict.</source>
   <translation>模型读入什么，又要预测什么。</translation>
  </message>
  <message>
   <source>What counting alone can do, and why it does not go far.</source>
   <translation>只靠计数能做到什么，为什么走不远。</translation>
  </message>
  <message>
   <source>What did you see?</source>
   <translation>你看到了什么？</translation>
  </message>
  <message>
   <source>What did you see? {words}</source>
   <translation>你看到了什么？{words}</translation>
  </message>
  <message>
   <source>What each token looks for.</source>
   <translation>每个词元在找什么。</translation>
  </message>
  <message>
   <source>What each token offers.</source>
   <translation>每个词元能提供什么。</translation>
  </message>
  <message>
   <source>What each token passes on.</source>
   <translation>每个词元传递什么。</translation>
  </message>
  <message>
   <source>What happened</source>
   <translation>过程记录</translation>
  </message>
  <message>
   <source>What happens to a negative input.</source>
   <translation>负的输入会变成什么。</translation>
  </message>
  <message>
   <source>What helps</source>
   <translation>如何改善</translation>
  </message>
  <message>
   <source>What if</source>
   <translation>假如</translation>
  </message>
  <message>
   <source>What if: switch parts of the model off, and see at once what follows from it.</source>
   <translation>假如：关闭模型的某些部分，立即看到结果。</translation>
  </message>
  <message>
   <source>What is added: whole epochs, or single steps</source>
   <translation>增加的是整轮，还是单步</translation>
  </message>
  <message>
   <source>What it writes now</source>
   <translation>它现在写出的文字</translation>
  </message>
  <message>
   <source>What matters for “{token}”: log-probability {p}, logit {logit}</source>
   <translation>对“{token}”起作用的部分：对数概率 {p}，logit {logit}</translation>
  </message>
  <message>
   <source>What matters for “{token}”?</source>
   <translation>什么对“{token}”起作用？</translation>
  </message>
  <message>
   <source>What matters here?</source>
   <translation>什么在起作用？</translation>
  </message>
  <message>
   <source>What should the zip contain?</source>
   <translation>zip 里要包含什么？</translation>
  </message>
  <message>
   <source>What the model computes on the way to the next token</source>
   <translation>模型在得出下一词元的过程中计算什么</translation>
  </message>
  <message>
   <source>What the model would predict after each layer, for each token</source>
   <translation>每个词元之后，模型在各层会预测什么</translation>
  </message>
  <message>
   <source>What the program is, and three ways to begin</source>
   <translation>介绍本程序，以及三种开始方式</translation>
  </message>
  <message>
   <source>What you found</source>
   <translation>你的结果</translation>
  </message>
  <message>
   <source>What's this?</source>
   <translation>这是什么？</translation>
  </message>
  <message>
   <source>Where all three start, across the valley.</source>
   <translation>三者的起点，横穿山谷方向。</translation>
  </message>
  <message>
   <source>Where all three start, along the valley.</source>
   <translation>三者的起点，沿山谷方向。</translation>
  </message>
  <message>
   <source>Where does a vocabulary come from? Byte pair encoding begins with the 256 bytes. It counts all pairs of neighbours in the text and makes the most frequent pair a new token; then it counts again.</source>
   <translation>词表从哪里来？字节对编码从 256 个字节开始。它统计文本中所有相邻的对，把最常见的一对变成新的词元，然后再统计一次。</translation>
  </message>
  <message>
   <source>Where files are kept</source>
   <translation>文件保存位置</translation>
  </message>
  <message>
   <source>Where the model applies dropout</source>
   <translation>模型在哪里使用 Dropout</translation>
  </message>
  <message>
   <source>Where the parameters of the four GPT-2 models are.</source>
   <translation>四种 GPT-2 模型的参数都在哪里。</translation>
  </message>
  <message>
   <source>Where you left this lesson</source>
   <translation>上次离开这门课程的地方</translation>
  </message>
  <message>
   <source>Whether the run did all its steps</source>
   <translation>这次训练是否完成了全部步数</translation>
  </message>
  <message>
   <source>Which lesson?</source>
   <translation>哪门课程？</translation>
  </message>
  <message>
   <source>Which of the two networks is shown.</source>
   <translation>显示两个网络中的哪一个。</translation>
  </message>
  <message>
   <source>Which pairs of a text become tokens, one merge after the other.</source>
   <translation>文本中哪些相邻对变成词元，一次合并接着一次合并。</translation>
  </message>
  <message>
   <source>Which part of the texts is kept for the validation loss and not trained on</source>
   <translation>文本的哪一部分留作计算验证损失，不参与训练</translation>
  </message>
  <message>
   <source>Which token it is, plus its position.</source>
   <translation>是哪个词元，加上它的位置。</translation>
  </message>
  <message>
   <source>Whose attention is shown on the text</source>
   <translation>在文本上显示谁的注意力</translation>
  </message>
  <message>
   <source>Whose weights are written: of a run, or imported</source>
   <translation>导出谁的权重：某次训练的，或导入的</translation>
  </message>
  <message>
   <source>Why a file could not be read</source>
   <translation>文件无法读取的原因</translation>
  </message>
  <message>
   <source>Why the first layers of a deep network would learn nothing without them.</source>
   <translation>为什么没有它，深层网络的前几层会学不到东西。</translation>
  </message>
  <message>
   <source>Width</source>
   <translation>宽度</translation>
  </message>
  <message>
   <source>Width ({emb_dim}) must be a multiple of Heads ({n_heads}), for example {near}.</source>
   <translation>宽度（{emb_dim}）必须是注意力头数（{n_heads}）的倍数，例如 {near}。</translation>
  </message>
  <message>
   <source>Width 1: greedy</source>
   <translation>宽度 1：贪心</translation>
  </message>
  <message>
   <source>Width of each model: numbers per token, a multiple of its heads.</source>
   <translation>每个模型的宽度：每个词元的数字个数，须是其头数的倍数。</translation>
  </message>
  <message>
   <source>Widths</source>
   <translation>宽度</translation>
  </message>
  <message>
   <source>Widths, model {place}: {width} must be a multiple of its heads ({heads}).</source>
   <translation>宽度，第 {place} 个模型：{width} 必须是其头数（{heads}）的倍数。</translation>
  </message>
  <message>
   <source>Window</source>
   <translation>窗口</translation>
  </message>
  <message>
   <source>Window {k} (0 to {last}), in batch {batch}</source>
   <translation>窗口 {k}（0 至 {last}），在批次 {batch} 中</translation>
  </message>
  <message>
   <source>Window {k} (0 to {last}), in batch {batch}, which is dropped</source>
   <translation>窗口 {k}（0 至 {last}），在被丢弃的批次 {batch} 中</translation>
  </message>
  <message>
   <source>Window {k}: after “{seen}” comes “{wanted}”, token {start} + {column} + 1 = {place}.</source>
   <translation>窗口 {k}：“{seen}”之后是“{wanted}”，词元 {start} + {column} + 1 = {place}。</translation>
  </message>
  <message>
   <source>Window {k}: token {start} + {column} = {place}, “{piece}”. The model sees “{seen}”.</source>
   <translation>窗口 {k}：词元 {start} + {column} = {place}，“{piece}”。模型看到“{seen}”。</translation>
  </message>
  <message>
   <source>Windows</source>
   <translation>窗口数</translation>
  </message>
  <message>
   <source>Windows of {context} tokens, stride {stride}.</source>
   <translation>窗口 {context} 个词元，步幅 {stride}。</translation>
  </message>
  <message>
   <source>With Muon: how much of the previous direction of a matrix it keeps.</source>
   <translation>使用 Muon 时：保留矩阵上一步方向的多少。</translation>
  </message>
  <message>
   <source>With Muon: the learning rate of the matrices inside the blocks, as a multiple of the learning rate, which all else uses.</source>
   <translation>使用 Muon 时：块内矩阵的学习率是学习率的多少倍；其余参数使用学习率本身。</translation>
  </message>
  <message>
   <source>With SGD: how much of its previous step each step keeps. 0: plain gradient descent, which keeps no state.</source>
   <translation>使用 SGD 时：每一步保留上一步的多少。0：普通梯度下降，不保存状态。</translation>
  </message>
  <message>
   <source>With SGD: takes the gradient one momentum step further ahead (Nesterov, 1983).</source>
   <translation>使用 SGD 时：在沿动量再走一步的位置取梯度（Nesterov，1983）。</translation>
  </message>
  <message>
   <source>With SGD: this multiple of each weight is added to its gradient, so its effect grows with momentum. torch.optim.SGD calls it weight_decay.</source>
   <translation>使用 SGD 时：把每个权重的这个倍数加到它的梯度上，因此作用随动量增大。torch.optim.SGD 称之为 weight_decay。</translation>
  </message>
  <message>
   <source>With a language model, the most probable text is often dull and repeats itself (Holtzman et al., 2020): beam search suits translation, sampling suits stories.</source>
   <translation>对语言模型来说，最可能的文本往往乏味而重复（Holtzman 等，2020）：束搜索适合翻译，采样适合写故事。</translation>
  </message>
  <message>
   <source>With an irreducible loss of {other} instead of {this}, the exponent would be {b}, and the points would be {far} instead of {near} nats from the curve (root mean square): they cannot tell which is right.</source>
   <translation>若不可约损失为 {other} 而不是 {this}，指数会是 {b}，各点到曲线的均方根距离会是 {far} 而不是 {near} nat：这些点分不出哪个对。</translation>
  </message>
  <message>
   <source>With cosine: number of steps over which the learning rate rises from zero.</source>
   <translation>用余弦时：学习率在这么多步内从零升起。</translation>
  </message>
  <message>
   <source>With cosine: the final learning rate.</source>
   <translation>用余弦时：学习率最后降到哪里。</translation>
  </message>
  <message>
   <source>With one row, each column holds a single number, which is its own mean: batch normalisation always turns it into 0. Layer normalisation is unaffected.</source>
   <translation>只有一行时，每列只有一个数，它就是自己的均值：无论原来是多少，批归一化后都变为 0。层归一化不受影响。</translation>
  </message>
  <message>
   <source>With one row, each column holds a single number. Divided by n − 1, its variance is 0 / 0, not a number, and batch normalisation is impossible. Layer normalisation is unaffected.</source>
   <translation>只有一行时，每列只有一个数。除以 n − 1 时，它的方差是 0 / 0，不是数，批归一化无法进行。层归一化不受影响。</translation>
  </message>
  <message>
   <source>With the change</source>
   <translation>带改动</translation>
  </message>
  <message>
   <source>With the change: {p}</source>
   <translation>带改动：{p}</translation>
  </message>
  <message>
   <source>With the mask after the softmax, each weight is divided by the sum of the remaining weights in its row.</source>
   <translation>若在 softmax 之后加掩码，则每个权重要除以该行剩余权重之和。</translation>
  </message>
  <message>
   <source>With the mask after the softmax: divides each row by its sum, so that it sums to 1 again.</source>
   <translation>在 softmax 之后加掩码时：每行除以该行之和，使其和重新为 1。</translation>
  </message>
  <message>
   <source>With the mean of {name}, the probability of “{word}” is {after} instead of {before}.</source>
   <translation>用均值代替{name}，“{word}”的概率由 {before} 变为 {after}。</translation>
  </message>
  <message>
   <source>With {n} tokens: ln({n}) = {loss}.</source>
   <translation>词元数为 {n} 时：ln({n}) = {loss}。</translation>
  </message>
  <message>
   <source>With {what}, training needs {size}.</source>
   <translation>改用{what}则需 {size}。</translation>
  </message>
  <message>
   <source>Without a nonlinearity between them, two linear layers are equivalent to one. The nonlinearity is the activation function: it maps each number to another.</source>
   <translation>两个线性层之间若没有非线性，就等价于一个线性层。这个非线性就是激活函数：它把每个数映射成另一个数。</translation>
  </message>
  <message>
   <source>Without momentum</source>
   <translation>不用动量</translation>
  </message>
  <message>
   <source>Without the change</source>
   <translation>不带改动</translation>
  </message>
  <message>
   <source>Without {name} this model can neither read nor write text. A run and each of its checkpoints have the same one: copy it from there. Import an imported model again.</source>
   <translation>没有 {name}，此模型无法读写文本。一次训练及其每个检查点中的此文件都相同：请从那里复制。导入的模型请重新导入。</translation>
  </message>
  <message>
   <source>Without {name}, the probability of “{word}” is {after} instead of {before}.</source>
   <translation>去掉{name}，“{word}”的概率由 {before} 变为 {after}。</translation>
  </message>
  <message>
   <source>Word</source>
   <translation>词</translation>
  </message>
  <message>
   <source>Words</source>
   <translation>词</translation>
  </message>
  <message>
   <source>Words in grey were in the card before, too. What is underlined is copied from the text.</source>
   <translation>灰色的词在上一张卡片中也有。带下划线的部分照抄自训练文本。</translation>
  </message>
  <message>
   <source>Worksheet of a lesson</source>
   <translation>课程练习单</translation>
  </message>
  <message>
   <source>Worksheet of a lesson…</source>
   <translation>课程练习单…</translation>
  </message>
  <message>
   <source>Write</source>
   <translation>续写</translation>
  </message>
  <message>
   <source>Write a lesson</source>
   <translation>编写课程</translation>
  </message>
  <message>
   <source>Write a lesson…</source>
   <translation>编写课程…</translation>
  </message>
  <message>
   <source>Write a prompt, or choose an example</source>
   <translation>输入提示词，或选择一个示例</translation>
  </message>
  <message>
   <source>Writes a report with your name, the run, and your guesses and goals to the folder of the class</source>
   <translation>把带有你的名字、这次训练以及猜测和目标的报告写入班级文件夹</translation>
  </message>
  <message>
   <source>Writes the export completely or not at all</source>
   <translation>要么完整写入，要么什么也不写</translation>
  </message>
  <message>
   <source>Writes the report</source>
   <translation>写入报告</translation>
  </message>
  <message>
   <source>Writing the report of {name}</source>
   <translation>正在生成 {name} 的报告</translation>
  </message>
  <message>
   <source>Written by GPT Studio {version}. This page loads nothing from the network and runs no scripts. It contains the figures of the run as data, which Class view in GPT Studio reads.</source>
   <translation>由 GPT Studio {version} 生成。本页不从网络加载任何内容，也不运行脚本。页内附有这次训练的数据，供 GPT Studio 的班级视图读取。</translation>
  </message>
  <message>
   <source>Written by process {n} on {host} since {since}.</source>
   <translation>写入者是 {host} 上的进程 {n}，自 {since} 起。</translation>
  </message>
  <message>
   <source>Wrong token</source>
   <translation>错误词元</translation>
  </message>
  <message>
   <source>X axis</source>
   <translation>横轴</translation>
  </message>
  <message>
   <source>You are {n} min behind the plan; this step can be skipped.</source>
   <translation>比计划晚了 {n} 分钟；这一步可以跳过。</translation>
  </message>
  <message>
   <source>You can restore it from there</source>
   <translation>可以从那里恢复</translation>
  </message>
  <message>
   <source>You choose where the file is saved.</source>
   <translation>由你选择文件的保存位置。</translation>
  </message>
  <message>
   <source>You chose this token.</source>
   <translation>这个词元是你选的。</translation>
  </message>
  <message>
   <source>You find this again under Help, Welcome.</source>
   <translation>以后可在“帮助”菜单的“欢迎”中再次打开。</translation>
  </message>
  <message>
   <source>You guessed {guess}; it is {truth}.</source>
   <translation>你猜的是：{guess}；实际是：{truth}。</translation>
  </message>
  <message>
   <source>You guessed: {guess}.</source>
   <translation>你猜的是：{guess}。</translation>
  </message>
  <message>
   <source>Your copy takes {size} in {folder} ({free} free).</source>
   <translation>你的副本在 {folder} 中占 {size}（可用 {free}）。</translation>
  </message>
  <message>
   <source>Your file is not changed. The copy is verified and no longer needs the file.</source>
   <translation>你的文件不会改变。副本会经过校验，之后不再需要该文件。</translation>
  </message>
  <message>
   <source>Your guess</source>
   <translation>你的猜测</translation>
  </message>
  <message>
   <source>Your instructor has locked these settings, so they keep their values: {names}.</source>
   <translation>教师锁定了这些设置，它们保持原值：{names}。</translation>
  </message>
  <message>
   <source>Your instructor has locked what this step asks you to use. Read it, then continue.</source>
   <translation>教师锁定了这一步要用的控件。读完这一步，继续即可。</translation>
  </message>
  <message>
   <source>Your model</source>
   <translation>你的模型</translation>
  </message>
  <message>
   <source>Your model is trained.</source>
   <translation>模型已训练完成。</translation>
  </message>
  <message>
   <source>Your name or your pair's</source>
   <translation>你或你们小组的名字</translation>
  </message>
  <message>
   <source>Your own input</source>
   <translation>你自己的输入</translation>
  </message>
  <message>
   <source>Your own text</source>
   <translation>自己的文本</translation>
  </message>
  <message>
   <source>Your own text is empty. Type a sentence.</source>
   <translation>自己的文本为空。请输入一句话。</translation>
  </message>
  <message>
   <source>Your sweeps, the newest first</source>
   <translation>你的参数扫描，最新的在前</translation>
  </message>
  <message>
   <source>Zero ablation takes the output away. Mean ablation puts its average over a text in its place, which leaves the rest of the model nearer to what it is used to.</source>
   <translation>零消融去掉其输出；均值消融以它在一段文本上的平均值代替，使模型其余部分更接近平时的状态。</translation>
  </message>
  <message>
   <source>Zip (*.zip)</source>
   <translation>Zip (*.zip)</translation>
  </message>
  <message>
   <source>a check</source>
   <translation>检查项</translation>
  </message>
  <message>
   <source>a custom model</source>
   <translation>自定义模型</translation>
  </message>
  <message>
   <source>a learning rate of {rate} that is too high for this model (try {lower})</source>
   <translation>学习率 {rate} 对该模型来说太高（可试 {lower}）</translation>
  </message>
  <message>
   <source>a learning rate of {rate}, where {usual} is already high (try {lower})</source>
   <translation>学习率为 {rate}，而 {usual} 已经偏高（可试 {lower}）</translation>
  </message>
  <message>
   <source>a lesson</source>
   <translation>课程</translation>
  </message>
  <message>
   <source>a list of names in quotes, such as ["name"]</source>
   <translation>带引号的名称列表，如 ["name"]</translation>
  </message>
  <message>
   <source>a name, a path or a GPTConfig</source>
   <translation>名称、路径或 GPTConfig</translation>
  </message>
  <message>
   <source>a number</source>
   <translation>数</translation>
  </message>
  <message>
   <source>a number above 0 and at most {high}</source>
   <translation>大于 0 且不超过 {high} 的数</translation>
  </message>
  <message>
   <source>a number above 0, since the scale is log</source>
   <translation>大于 0 的数，因为 scale 为 log</translation>
  </message>
  <message>
   <source>a number with {count} bits</source>
   <translation>一个 {count} 位的二进制数</translation>
  </message>
  <message>
   <source>a number, or the name of a value</source>
   <translation>数，或一个值的名称</translation>
  </message>
  <message>
   <source>a number, text, true or false</source>
   <translation>数字、文本，或 true、false</translation>
  </message>
  <message>
   <source>a question</source>
   <translation>一个问题</translation>
  </message>
  <message>
   <source>a question needs one of these: choices with an answer, a number, or a token.</source>
   <translation>问题需要以下之一：带答案的选项、一个数，或一个词元。</translation>
  </message>
  <message>
   <source>a step</source>
   <translation>步骤</translation>
  </message>
  <message>
   <source>a step needs either a page or a tab, not both.</source>
   <translation>一个步骤需要一个 page 或一个 tab，不能两者都有。</translation>
  </message>
  <message>
   <source>a table of settings</source>
   <translation>设置表</translation>
  </message>
  <message>
   <source>a token with position {position} does not fit at position {place}</source>
   <translation>位置为 {position} 的词元不能放在位置 {place}</translation>
  </message>
  <message>
   <source>a whole number</source>
   <translation>整数</translation>
  </message>
  <message>
   <source>a whole number between {low} and {high}</source>
   <translation>介于 {low} 和 {high} 之间的整数</translation>
  </message>
  <message>
   <source>ablation</source>
   <translation>消融</translation>
  </message>
  <message>
   <source>about half of x, times one plus tanh of the root of two over pi, times x plus 0.044715 x cubed</source>
   <translation>约等于 x 的一半，乘以 1 加 tanh[根号（2/π）乘以（x 加 0.044715 倍 x 的立方）]</translation>
  </message>
  <message>
   <source>about {time}</source>
   <translation>约 {time}</translation>
  </message>
  <message>
   <source>about {time} left</source>
   <translation>约剩 {time}</translation>
  </message>
  <message>
   <source>according to its header, {name} has the shape {shape} in {dtype}, which takes {needed} bytes, but its place has {there}</source>
   <translation>按文件头所述，{name} 的形状为 {shape}，类型为 {dtype}，需要 {needed} 字节，而它的位置上有 {there} 字节</translation>
  </message>
  <message>
   <source>activations</source>
   <translation>激活值</translation>
  </message>
  <message>
   <source>activations that are recomputed</source>
   <translation>重新计算激活值</translation>
  </message>
  <message>
   <source>after</source>
   <translation>之后</translation>
  </message>
  <message>
   <source>after GELU</source>
   <translation>GELU 之后</translation>
  </message>
  <message>
   <source>after sampling</source>
   <translation>采样后</translation>
  </message>
  <message>
   <source>all</source>
   <translation>全部</translation>
  </message>
  <message>
   <source>all attributions and that of the embeddings add up to the logit</source>
   <translation>所有归因与嵌入的归因之和等于 logit</translation>
  </message>
  <message>
   <source>all context vectors</source>
   <translation>全部上下文向量</translation>
  </message>
  <message>
   <source>all epochs</source>
   <translation>所有轮次</translation>
  </message>
  <message>
   <source>all pages are locked or hidden; at least one must remain, so all of them do.</source>
   <translation>所有页面都被锁定或隐藏；至少须保留一个，因此全部保留。</translation>
  </message>
  <message>
   <source>all parameters</source>
   <translation>全部参数</translation>
  </message>
  <message>
   <source>all scores</source>
   <translation>全部分数</translation>
  </message>
  <message>
   <source>all token IDs</source>
   <translation>全部词元 ID</translation>
  </message>
  <message>
   <source>all weights</source>
   <translation>全部权重</translation>
  </message>
  <message>
   <source>always right</source>
   <translation>永远正确</translation>
  </message>
  <message>
   <source>an address that begins with https://</source>
   <translation>以 https:// 开头的地址</translation>
  </message>
  <message>
   <source>and {n} more</source>
   <translation>另有 {n} 项</translation>
  </message>
  <message>
   <source>another token, then Enter</source>
   <translation>另一个词元，按 Enter</translation>
  </message>
  <message>
   <source>answer is '{answer}'; it must be one of the choices: {choices}.</source>
   <translation>answer 是“{answer}”；它必须是 choices 之一：{choices}。</translation>
  </message>
  <message>
   <source>any of {choices}</source>
   <translation>以下任意几个：{choices}</translation>
  </message>
  <message>
   <source>argmax: {id}, {token}; it is appended to the text.</source>
   <translation>argmax：{id}，{token}；把它接在文本后面。</translation>
  </message>
  <message>
   <source>as in the run of {day}</source>
   <translation>与 {day} 的训练相同</translation>
  </message>
  <message>
   <source>as probabilities</source>
   <translation>换成概率</translation>
  </message>
  <message>
   <source>as shares</source>
   <translation>按占比</translation>
  </message>
  <message>
   <source>at least</source>
   <translation>至少</translation>
  </message>
  <message>
   <source>at least {value}</source>
   <translation>至少 {value}</translation>
  </message>
  <message>
   <source>at most</source>
   <translation>至多</translation>
  </message>
  <message>
   <source>at most {value}</source>
   <translation>不超过 {value}</translation>
  </message>
  <message>
   <source>at the end</source>
   <translation>结束时</translation>
  </message>
  <message>
   <source>at the end: after all of the compute. lowest: the lowest on the way, as if training had stopped there.</source>
   <translation>结束时：用完全部计算量之后。最低：途中最低的一次，如同在那里停止训练。</translation>
  </message>
  <message>
   <source>at the last position</source>
   <translation>最后一个位置</translation>
  </message>
  <message>
   <source>at x</source>
   <translation>在 x 处</translation>
  </message>
  <message>
   <source>at x = {x}</source>
   <translation>x = {x} 处</translation>
  </message>
  <message>
   <source>at_least is {low:g} and at_most is {high:g}: no value can meet both.</source>
   <translation>at_least 是 {low:g}，at_most 是 {high:g}：没有值能同时满足两者。</translation>
  </message>
  <message>
   <source>attention</source>
   <translation>注意力</translation>
  </message>
  <message>
   <source>attention biases</source>
   <translation>注意力偏置</translation>
  </message>
  <message>
   <source>attention of block {n}</source>
   <translation>第 {n} 块的注意力</translation>
  </message>
  <message>
   <source>attention output of layer {n}</source>
   <translation>第 {n} 层的注意力输出</translation>
  </message>
  <message>
   <source>attention weights</source>
   <translation>注意力权重</translation>
  </message>
  <message>
   <source>attention writes</source>
   <translation>注意力写入</translation>
  </message>
  <message>
   <source>attribution</source>
   <translation>归因</translation>
  </message>
  <message>
   <source>auto</source>
   <translation>自动</translation>
  </message>
  <message>
   <source>auto, cpu, cuda, cuda:1, mps.</source>
   <translation>auto、cpu、cuda、cuda:1、mps。</translation>
  </message>
  <message>
   <source>automatic</source>
   <translation>自动</translation>
  </message>
  <message>
   <source>average of y</source>
   <translation>y 的平均值</translation>
  </message>
  <message>
   <source>b is mu times the b before, plus the gradient; the weight loses eta times b</source>
   <translation>b 等于 μ 乘以上一个 b，再加上梯度；权重减去 η 乘以 b</translation>
  </message>
  <message>
   <source>batch</source>
   <translation>批次</translation>
  </message>
  <message>
   <source>batch size {batch} accumulated {times} times</source>
   <translation>批次大小 {batch}、累积 {times} 次</translation>
  </message>
  <message>
   <source>batch x</source>
   <translation>批次 x</translation>
  </message>
  <message>
   <source>before</source>
   <translation>之前</translation>
  </message>
  <message>
   <source>before GELU</source>
   <translation>GELU 之前</translation>
  </message>
  <message>
   <source>before each</source>
   <translation>各设一次</translation>
  </message>
  <message>
   <source>before each: both networks have the same weights. once for both: the network with shortcuts is built second and gets different weights.</source>
   <translation>各设一次：两个网络权重相同。只设一次：有快捷连接的网络后建立，得到不同的权重。</translation>
  </message>
  <message>
   <source>before → after (stroke: before)</source>
   <translation>之前 → 之后（竖线：之前）</translation>
  </message>
  <message>
   <source>best</source>
   <translation>最佳</translation>
  </message>
  <message>
   <source>bf16</source>
   <translation>bf16</translation>
  </message>
  <message>
   <source>bf16 computes with half the bits where the device is fast at it; the weights stay in fp32.</source>
   <translation>bf16 在设备计算它较快时，以一半的位数计算；权重仍为 fp32。</translation>
  </message>
  <message>
   <source>bfloat16</source>
   <translation>bfloat16</translation>
  </message>
  <message>
   <source>bits per byte</source>
   <translation>每字节比特</translation>
  </message>
  <message>
   <source>block {n}</source>
   <translation>第 {n} 块</translation>
  </message>
  <message>
   <source>book</source>
   <translation>book</translation>
  </message>
  <message>
   <source>both</source>
   <translation>两者</translation>
  </message>
  <message>
   <source>by size</source>
   <translation>按规模</translation>
  </message>
  <message>
   <source>by the slope, the log-probability would fall by {value} nats without {name}</source>
   <translation>按斜率估计，去掉 {name}，对数概率会下降 {value} nat</translation>
  </message>
  <message>
   <source>by time only</source>
   <translation>只按时间</translation>
  </message>
  <message>
   <source>bytes of GPT-2 small in float32</source>
   <translation>GPT-2 small 在 float32 下的字节数</translation>
  </message>
  <message>
   <source>cannot be drawn</source>
   <translation>不会被抽到</translation>
  </message>
  <message>
   <source>characters</source>
   <translation>字符</translation>
  </message>
  <message>
   <source>characters ({n} tokens)</source>
   <translation>字符（{n} 个词元）</translation>
  </message>
  <message>
   <source>characters: the last part of the text is held out for validation; documents: the last of several texts are.</source>
   <translation>按字符：留出文本的最后一部分用于验证；按文档：留出多篇文本中的最后几篇。</translation>
  </message>
  <message>
   <source>choices needs at least two answers, all of them different.</source>
   <translation>choices 至少需要两个互不相同的答案。</translation>
  </message>
  <message>
   <source>chosen</source>
   <translation>选定的</translation>
  </message>
  <message>
   <source>chosen: the model chosen for this page. with bias: gpt2-small with biases for query, key and value, untrained, random seed 123, as in one variant of the study notes.</source>
   <translation>选定的：为本页选定的模型。带偏置：查询、键、值带偏置的 gpt2-small，未训练，随机种子 123，与学习笔记中的一种写法相同。</translation>
  </message>
  <message>
   <source>clean</source>
   <translation>干净</translation>
  </message>
  <message>
   <source>column {index}</source>
   <translation>第 {index} 列</translation>
  </message>
  <message>
   <source>columns normalised</source>
   <translation>按列归一化</translation>
  </message>
  <message>
   <source>components</source>
   <translation>组件</translation>
  </message>
  <message>
   <source>components, for “{word}”</source>
   <translation>组件，针对“{word}”</translation>
  </message>
  <message>
   <source>constant</source>
   <translation>恒定</translation>
  </message>
  <message>
   <source>context</source>
   <translation>同上下文</translation>
  </message>
  <message>
   <source>context length {n}</source>
   <translation>上下文长度 {n}</translation>
  </message>
  <message>
   <source>context vector of “Your”</source>
   <translation>“Your”的上下文向量</translation>
  </message>
  <message>
   <source>context vector of “journey”</source>
   <translation>“journey”的上下文向量</translation>
  </message>
  <message>
   <source>context vectors</source>
   <translation>上下文向量</translation>
  </message>
  <message>
   <source>context vectors z</source>
   <translation>上下文向量 z</translation>
  </message>
  <message>
   <source>continued</source>
   <translation>继续</translation>
  </message>
  <message>
   <source>copied</source>
   <translation>照抄</translation>
  </message>
  <message>
   <source>copy</source>
   <translation>副本</translation>
  </message>
  <message>
   <source>corrected by an earlier run on this computer</source>
   <translation>按本机以前的一次训练修正</translation>
  </message>
  <message>
   <source>corrected by {n} earlier runs on this computer</source>
   <translation>按本机以前的 {n} 次训练修正</translation>
  </message>
  <message>
   <source>corrupted</source>
   <translation>受损</translation>
  </message>
  <message>
   <source>corrupted → patched (stroke: clean)</source>
   <translation>受损 → 修补后（竖线：干净）</translation>
  </message>
  <message>
   <source>cosine</source>
   <translation>余弦</translation>
  </message>
  <message>
   <source>cosine: the learning rate rises linearly, then falls along half a cosine.</source>
   <translation>余弦：学习率先线性上升，再沿半个余弦下降。</translation>
  </message>
  <message>
   <source>cut of {stage}</source>
   <translation>{stage} 的截断</translation>
  </message>
  <message>
   <source>d is the logit of the right word minus that of the wrong one</source>
   <translation>d 等于正确的词的 logit 减去错误的词的 logit</translation>
  </message>
  <message>
   <source>d_out</source>
   <translation>d_out</translation>
  </message>
  <message>
   <source>decoded text</source>
   <translation>解码还原的文本</translation>
  </message>
  <message>
   <source>difference</source>
   <translation>差值</translation>
  </message>
  <message>
   <source>diverged</source>
   <translation>已发散</translation>
  </message>
  <message>
   <source>documents</source>
   <translation>按文档</translation>
  </message>
  <message>
   <source>does not fit</source>
   <translation>不够</translation>
  </message>
  <message>
   <source>double-click to change</source>
   <translation>双击可修改</translation>
  </message>
  <message>
   <source>drawn / expected (draws: {count})</source>
   <translation>抽到次数 / 预期次数（共 {count} 次）</translation>
  </message>
  <message>
   <source>draws: {n}</source>
   <translation>抽取次数：{n}</translation>
  </message>
  <message>
   <source>dropout {rate}</source>
   <translation>Dropout {rate}</translation>
  </message>
  <message>
   <source>duplicate-token head</source>
   <translation>重复词元头</translation>
  </message>
  <message>
   <source>e to the power of the loss</source>
   <translation>e 的损失次方</translation>
  </message>
  <message>
   <source>effective choices</source>
   <translation>有效候选数</translation>
  </message>
  <message>
   <source>embeddings</source>
   <translation>嵌入</translation>
  </message>
  <message>
   <source>empty</source>
   <translation>空</translation>
  </message>
  <message>
   <source>epoch {n}</source>
   <translation>第 {n} 轮</translation>
  </message>
  <message>
   <source>epoch {n} of {all}</source>
   <translation>第 {n} 轮，共 {all} 轮</translation>
  </message>
  <message>
   <source>epochs</source>
   <translation>轮</translation>
  </message>
  <message>
   <source>equals</source>
   <translation>等于</translation>
  </message>
  <message>
   <source>equals cannot be combined with at_least or at_most.</source>
   <translation>equals 不能与 at_least 或 at_most 同时使用。</translation>
  </message>
  <message>
   <source>estimated by formula</source>
   <translation>由公式估算</translation>
  </message>
  <message>
   <source>every 20 seconds</source>
   <translation>每 20 秒</translation>
  </message>
  <message>
   <source>every 5 minutes</source>
   <translation>每 5 分钟</translation>
  </message>
  <message>
   <source>every minute</source>
   <translation>每分钟</translation>
  </message>
  <message>
   <source>exact GELU</source>
   <translation>精确的 GELU</translation>
  </message>
  <message>
   <source>exp({x})</source>
   <translation>exp({x})</translation>
  </message>
  <message>
   <source>expected</source>
   <translation>期望</translation>
  </message>
  <message>
   <source>feed-forward network</source>
   <translation>前馈网络</translation>
  </message>
  <message>
   <source>feed-forward network writes</source>
   <translation>前馈网络写入</translation>
  </message>
  <message>
   <source>feed-forward of block {n}</source>
   <translation>第 {n} 块的前馈网络</translation>
  </message>
  <message>
   <source>first and last logits of each token</source>
   <translation>每个词元的头几个和末几个 logits</translation>
  </message>
  <message>
   <source>first block</source>
   <translation>第一块</translation>
  </message>
  <message>
   <source>fits</source>
   <translation>够用</translation>
  </message>
  <message>
   <source>float32</source>
   <translation>float32</translation>
  </message>
  <message>
   <source>for a copy of the weights in {weights}</source>
   <translation>制作 {weights} 权重的副本</translation>
  </message>
  <message>
   <source>for top-p</source>
   <translation>用于 top-p</translation>
  </message>
  <message>
   <source>format is {value}; it must be a whole number between 1 and {most}.</source>
   <translation>format 的值为 {value}；它必须是 1 到 {most} 之间的整数。</translation>
  </message>
  <message>
   <source>fp32</source>
   <translation>fp32</translation>
  </message>
  <message>
   <source>fp32 generates with the weights as they are. bf16 and int8 round a copy of them to half and a quarter of the bits: faster on a CPU, but no longer exactly this model. Attention, layers and neighbours always use fp32.</source>
   <translation>fp32 用原样的权重生成。bf16 和 int8 把权重的一份副本舍入到一半和四分之一的位数：在 CPU 上更快，但不再完全是这个模型。注意力、各层和近邻总是使用 fp32。</translation>
  </message>
  <message>
   <source>from a file ({n} tokens)</source>
   <translation>来自文件（{n} 个词元）</translation>
  </message>
  <message>
   <source>from the weights</source>
   <translation>来自权重</translation>
  </message>
  <message>
   <source>from {low} to {high}</source>
   <translation>{low} 至 {high}</translation>
  </message>
  <message>
   <source>from {n} steps of a one-layer and a two-layer model</source>
   <translation>根据一层和两层模型的各 {n} 步</translation>
  </message>
  <message>
   <source>from {n} steps of this model</source>
   <translation>根据此模型的 {n} 步</translation>
  </message>
  <message>
   <source>from {run}, step {n}</source>
   <translation>源自 {run}，第 {n} 步</translation>
  </message>
  <message>
   <source>g of x</source>
   <translation>x 的 g</translation>
  </message>
  <message>
   <source>g of y</source>
   <translation>y 的 g</translation>
  </message>
  <message>
   <source>gpt2-large</source>
   <translation>gpt2-large</translation>
  </message>
  <message>
   <source>gpt2-medium</source>
   <translation>gpt2-medium</translation>
  </message>
  <message>
   <source>gpt2-small</source>
   <translation>gpt2-small</translation>
  </message>
  <message>
   <source>gpt2-xl</source>
   <translation>gpt2-xl</translation>
  </message>
  <message>
   <source>gradient</source>
   <translation>梯度</translation>
  </message>
  <message>
   <source>gradient times activation is the output of h times the slope of the log-probability</source>
   <translation>梯度乘激活值等于 h 的输出乘以对数概率的斜率</translation>
  </message>
  <message>
   <source>gradients</source>
   <translation>梯度</translation>
  </message>
  <message>
   <source>grimm</source>
   <translation>格林童话</translation>
  </message>
  <message>
   <source>h E</source>
   <translation>h E</translation>
  </message>
  <message>
   <source>hand</source>
   <translation>手工</translation>
  </message>
  <message>
   <source>hand: type the probabilities and see how the loss is calculated. model: the probabilities the model gives to each next token.</source>
   <translation>手工：自己输入概率，看损失怎样计算。模型：模型给每个下一个词元的概率。</translation>
  </message>
  <message>
   <source>has {n}</source>
   <translation>有 {n} 字节</translation>
  </message>
  <message>
   <source>head {head} of block {n}</source>
   <translation>第 {n} 块的第 {head} 头</translation>
  </message>
  <message>
   <source>head {head} of layer {layer} ({name})</source>
   <translation>第 {layer} 层的第 {head} 个头（{name}）</translation>
  </message>
  <message>
   <source>head {number}</source>
   <translation>头 {number}</translation>
  </message>
  <message>
   <source>heads of {size}</source>
   <translation>{size} 的注意力头数</translation>
  </message>
  <message>
   <source>hidden</source>
   <translation>隐藏文件</translation>
  </message>
  <message>
   <source>highest</source>
   <translation>最高</translation>
  </message>
  <message>
   <source>ids</source>
   <translation>ID</translation>
  </message>
  <message>
   <source>impossible</source>
   <translation>不可能</translation>
  </message>
  <message>
   <source>in no window</source>
   <translation>不在任何窗口中</translation>
  </message>
  <message>
   <source>in the text: {token}, rank {rank} at the end</source>
   <translation>文本中是 {token}，最后排名 {rank}</translation>
  </message>
  <message>
   <source>induction head</source>
   <translation>归纳头</translation>
  </message>
  <message>
   <source>initial weights</source>
   <translation>初始权重</translation>
  </message>
  <message>
   <source>input and target</source>
   <translation>输入与目标</translation>
  </message>
  <message>
   <source>input more than once</source>
   <translation>作为输入不止一次</translation>
  </message>
  <message>
   <source>input once</source>
   <translation>作为输入一次</translation>
  </message>
  <message>
   <source>input x</source>
   <translation>输入 x</translation>
  </message>
  <message>
   <source>inputs</source>
   <translation>输入</translation>
  </message>
  <message>
   <source>inputs x</source>
   <translation>输入 x</translation>
  </message>
  <message>
   <source>inputs · W_key</source>
   <translation>输入 · W_key</translation>
  </message>
  <message>
   <source>inputs · W_query</source>
   <translation>输入 · W_query</translation>
  </message>
  <message>
   <source>inputs · W_value</source>
   <translation>输入 · W_value</translation>
  </message>
  <message>
   <source>is missing</source>
   <translation>缺失</translation>
  </message>
  <message>
   <source>it contains no model.safetensors. Choose the file you want to open: {names}.</source>
   <translation>其中没有 model.safetensors。请选择要打开的文件：{names}。</translation>
  </message>
  <message>
   <source>it contains no state dict: a dict from names to tensors, either alone or as 'model_state_dict' beside an optimizer. Save one with torch.save(model.state_dict(), 'weights.pth').</source>
   <translation>它不含 state dict：从名称到张量的字典，可以单独保存，也可以作为“model_state_dict”与优化器一起保存。请用 torch.save(model.state_dict(), 'weights.pth') 保存一个。</translation>
  </message>
  <message>
   <source>it contains no weights. {opened}</source>
   <translation>其中没有权重。{opened}</translation>
  </message>
  <message>
   <source>it contains {name}. {other}</source>
   <translation>其中有 {name}。{other}</translation>
  </message>
  <message>
   <source>it does not give each token an ID</source>
   <translation>其中并非每个词元都有 ID</translation>
  </message>
  <message>
   <source>it does not say which file contains each tensor. {damaged}</source>
   <translation>它没有说明各张量在哪个文件中。{damaged}</translation>
  </message>
  <message>
   <source>it has no model</source>
   <translation>其中没有 model</translation>
  </message>
  <message>
   <source>it has no tokens</source>
   <translation>其中没有词元</translation>
  </message>
  <message>
   <source>it has the format that PyTorch wrote before version 1.6 (2020), which GPT Studio does not read. Open it with torch.load and save it again with torch.save, and choose the new file.</source>
   <translation>它是 PyTorch 1.6（2020 年）之前的格式，GPT Studio 不读取。用 torch.load 打开，用 torch.save 重新保存，再选择新文件。</translation>
  </message>
  <message>
   <source>it is a Core ML model. {other}</source>
   <translation>它是 Core ML 模型。{other}</translation>
  </message>
  <message>
   <source>it is a Flax file, in which JAX stores weights. {other}</source>
   <translation>它是 Flax 文件，JAX 用它存储权重。{other}</translation>
  </message>
  <message>
   <source>it is a Git LFS pointer: the weights themselves were not downloaded. Run 'git lfs pull' in its folder, or use Model &gt; Download.</source>
   <translation>它是 Git LFS 指针：权重本身没有下载。请在其文件夹中运行 git lfs pull，或使用“模型 &gt; 下载”。</translation>
  </message>
  <message>
   <source>it is a LoRA adapter: small changes to a model, without the model itself. Merge it into its model with peft's merge_and_unload(), save the result with save_pretrained(), and choose that folder.</source>
   <translation>它是 LoRA 适配器：只含对模型的小幅改动，不含模型本身。请用 peft 的 merge_and_unload() 把它合并到模型中，用 save_pretrained() 保存结果，再选择那个文件夹。</translation>
  </message>
  <message>
   <source>it is a PDF. {opened}</source>
   <translation>它是 PDF。{opened}</translation>
  </message>
  <message>
   <source>it is a Python pickle that was not saved with torch.save. Loading it could run a program, so none of it was read. If you trust its author, load it in Python and save only the weights: torch.save(model.state_dict(), 'weights.pth').</source>
   <translation>它是 Python 的 pickle 文件，不是用 torch.save 保存的。载入它可能会运行程序，因此没有读取其中任何内容。如果你信任作者，请在 Python 中载入它，只保存权重：torch.save(model.state_dict(), 'weights.pth')。</translation>
  </message>
  <message>
   <source>it is a TensorFlow checkpoint, the format in which OpenAI published GPT-2 in 2019, and only TensorFlow can read it. The same weights are available as safetensors: Model &gt; Download gets them ({name}), or download config.json and model.safetensors of openai-community/{name} from Hugging Face into a folder and open that folder.</source>
   <translation>它是 TensorFlow 检查点，OpenAI 在 2019 年以这种格式发布 GPT-2，只有 TensorFlow 能读取。同样的权重也有 safetensors 格式：可通过“模型 &gt; 下载”获取（{name}），也可以从 Hugging Face 把 openai-community/{name} 的 config.json 和 model.safetensors 下载到一个文件夹，再打开该文件夹。</translation>
  </message>
  <message>
   <source>it is a TensorFlow checkpoint, the format in which OpenAI published GPT-2 in 2019, and only TensorFlow can read it. The same weights are available as safetensors: Model &gt; Download gets them, or download config.json and model.safetensors of openai-community ({names}) from Hugging Face into a folder and open that folder.</source>
   <translation>它是 TensorFlow 检查点，OpenAI 在 2019 年以这种格式发布 GPT-2，只有 TensorFlow 能读取。同样的权重也有 safetensors 格式：可通过“模型 &gt; 下载”获取，也可以从 Hugging Face 把 openai-community（{names}）的 config.json 和 model.safetensors 下载到一个文件夹，再打开该文件夹。</translation>
  </message>
  <message>
   <source>it is a TensorFlow graph. {other}</source>
   <translation>它是 TensorFlow 计算图。{other}</translation>
  </message>
  <message>
   <source>it is a TorchScript program, which contains code besides the weights. Save only the weights: torch.save(model.state_dict(), 'weights.pth').</source>
   <translation>它是 TorchScript 程序，除权重外还含有代码。请只保存权重：torch.save(model.state_dict(), 'weights.pth')。</translation>
  </message>
  <message>
   <source>it is a packed run of GPT Studio. Open it in the Runs tab with “Import a zip…”.</source>
   <translation>它是 GPT Studio 打包的训练。请在“训练记录”页用“导入 zip…”打开。</translation>
  </message>
  <message>
   <source>it is a single NumPy array, but a model has many. {other}</source>
   <translation>它是单个 NumPy 数组，而模型有很多个。{other}</translation>
  </message>
  <message>
   <source>it is a tar archive. Unpack it, then choose what is inside.</source>
   <translation>它是 tar 压缩包。请解压，然后选择里面的内容。</translation>
  </message>
  <message>
   <source>it is a text file and contains no weights. {opened} To train on a text, choose it in the Train tab.</source>
   <translation>它是文本文件，不含权重。{opened}要用文本训练，请在“训练”页选择它。</translation>
  </message>
  <message>
   <source>it is a weights file of llm.c, for its C program. For OpenAI's GPT-2, use Model &gt; Download. Convert a model that llm.c trained with its dev/eval/export_hf.py, and open the folder that it writes.</source>
   <translation>它是 llm.c 的权重文件，供其 C 程序使用。要用 OpenAI 的 GPT-2，请通过“模型 &gt; 下载”获取。用 llm.c 训练的模型，请用它的 dev/eval/export_hf.py 转换，再打开所写出的文件夹。</translation>
  </message>
  <message>
   <source>it is a zip archive, but not one saved with torch.save. If it contains weights, unpack it and choose the .pth or .safetensors file.</source>
   <translation>它是 zip 压缩包，但不是用 torch.save 保存的。如果里面有权重，请解压后选择 .pth 或 .safetensors 文件。</translation>
  </message>
  <message>
   <source>it is a {kind} file (llama.cpp), whose weights are usually quantised to a few bits. {other}</source>
   <translation>它是 {kind} 文件（llama.cpp），其中的权重通常量化到几位。{other}</translation>
  </message>
  <message>
   <source>it is an HDF5 file, in which Keras and TensorFlow store weights. {other}</source>
   <translation>它是 HDF5 文件，Keras 和 TensorFlow 用它存储权重。{other}</translation>
  </message>
  <message>
   <source>it is an ONNX file, which contains a computation graph besides the weights. {other}</source>
   <translation>它是 ONNX 文件，除权重外还含有计算图。{other}</translation>
  </message>
  <message>
   <source>it is compressed ({kind}). Unpack it, then choose the file inside.</source>
   <translation>它是压缩文件（{kind}）。请解压，然后选择里面的文件。</translation>
  </message>
  <message>
   <source>it is empty. The download or copy was incomplete; download or copy it again.</source>
   <translation>它是空的。下载或复制没有完成；请重新下载或复制。</translation>
  </message>
  <message>
   <source>it is larger than {longest_json} MB, but should have only a few lines.</source>
   <translation>它超过 {longest_json} MB，而本应只有几行。</translation>
  </message>
  <message>
   <source>it is larger than {longest} MB, which no tokenizer of a GPT-2 is.</source>
   <translation>它大于 {longest} MB，而 GPT-2 的分词器不会这么大。</translation>
  </message>
  <message>
   <source>it is not a JSON object with names and values. {damaged}</source>
   <translation>它不是由名称和值组成的 JSON 对象。{damaged}</translation>
  </message>
  <message>
   <source>it is not a known weights file, or its beginning is damaged. {opened}</source>
   <translation>它不是已知的权重文件，或文件开头已损坏。{opened}</translation>
  </message>
  <message>
   <source>it is not a regular file. Choose a weights file.</source>
   <translation>它不是普通文件。请选择权重文件。</translation>
  </message>
  <message>
   <source>it is not a table of characters as nanoGPT writes it (vocab_size, itos, stoi). Move it elsewhere to open the weights without it.</source>
   <translation>它不是 nanoGPT 写出的字符表（vocab_size、itos、stoi）。若要不用它打开权重，请把它移到别处。</translation>
  </message>
  <message>
   <source>it is not a tokenizer that can be read ({why}). {damaged}</source>
   <translation>它不是可以读取的分词器（{why}）。{damaged}</translation>
  </message>
  <message>
   <source>it is not on this computer</source>
   <translation>它不在这台电脑上</translation>
  </message>
  <message>
   <source>it is not valid JSON. {damaged}</source>
   <translation>它不是有效的 JSON。{damaged}</translation>
  </message>
  <message>
   <source>it lists {n} tensors; a GPT-2 has at most {most}</source>
   <translation>它列出了 {n} 个张量；GPT-2 最多有 {most} 个</translation>
  </message>
  <message>
   <source>it refers to the file {name}, which is not part of a model.</source>
   <translation>它引用了文件 {name}，该文件不属于模型。</translation>
  </message>
  <message>
   <source>it refers to {name}</source>
   <translation>它引用了 {name}</translation>
  </message>
  <message>
   <source>it should be a zip archive, but cannot be read as one. {damaged}</source>
   <translation>它应是 zip 压缩包，却无法读取。{damaged}</translation>
  </message>
  <message>
   <source>it uses the pickle instruction {name}</source>
   <translation>它用到了 pickle 指令 {name}</translation>
  </message>
  <message>
   <source>it was changed after it had been opened. Open it again.</source>
   <translation>它在打开之后被更改了。请重新打开。</translation>
  </message>
  <message>
   <source>it was not saved with torch.save. Choose a .pth, pytorch_model.bin or .safetensors file.</source>
   <translation>它不是用 torch.save 保存的。请选择 .pth、pytorch_model.bin 或 .safetensors 文件。</translation>
  </message>
  <message>
   <source>it was truncated while in use</source>
   <translation>文件在读取期间被截断</translation>
  </message>
  <message>
   <source>its contents cannot be read. {damaged}</source>
   <translation>无法读取它的内容。{damaged}</translation>
  </message>
  <message>
   <source>its driver is too old for the installed PyTorch, or does not work</source>
   <translation>它的驱动对已安装的 PyTorch 来说太旧，或不能工作</translation>
  </message>
  <message>
   <source>its header cannot be read: a name occurs twice in it</source>
   <translation>无法读取它的文件头：其中有一个名称出现了两次</translation>
  </message>
  <message>
   <source>its header cannot be read: it is not valid JSON</source>
   <translation>无法读取它的文件头：不是有效的 JSON</translation>
  </message>
  <message>
   <source>its header is not a list of tensors</source>
   <translation>它的文件头不是张量列表</translation>
  </message>
  <message>
   <source>its header takes {size} MB; that of a GPT-2 takes less than 1 MB</source>
   <translation>它的文件头占 {size} MB；GPT-2 的文件头不到 1 MB</translation>
  </message>
  <message>
   <source>its header would be {length} bytes long, but the file has {size} bytes</source>
   <translation>它的文件头应有 {length} 字节，而文件只有 {size} 字节</translation>
  </message>
  <message>
   <source>its list of tensors cannot be read. {damaged}</source>
   <translation>无法读取它的张量列表。{damaged}</translation>
  </message>
  <message>
   <source>its list of tensors has the wrong checksum. {damaged}</source>
   <translation>它的张量列表校验和不符。{damaged}</translation>
  </message>
  <message>
   <source>its list of tensors is too long: reading it takes more than {steps} steps.</source>
   <translation>它的张量列表太长：读取它需要超过 {steps} 步。</translation>
  </message>
  <message>
   <source>its list of tensors takes {size} MB; that of a GPT-2 takes 1 MB.</source>
   <translation>它的张量列表占 {size} MB；GPT-2 的张量列表占 1 MB。</translation>
  </message>
  <message>
   <source>its mean</source>
   <translation>其均值</translation>
  </message>
  <message>
   <source>its numbers use the byte order of another kind of computer. Save it again on this computer.</source>
   <translation>其中的数采用另一类电脑的字节序。请在这台电脑上重新保存。</translation>
  </message>
  <message>
   <source>its table of contents would take {size} MB; that of a GPT-2 takes less than 1 MB.</source>
   <translation>它的目录要占 {size} MB；GPT-2 的目录不到 1 MB。</translation>
  </message>
  <message>
   <source>its tensors are not those of a GPT-2. The first tensors are: {first}. {opened}</source>
   <translation>它的张量不是 GPT-2 的。最前面的张量是：{first}。{opened}</translation>
  </message>
  <message>
   <source>its tensors overlap, or there are gaps between them</source>
   <translation>它的张量互相重叠，或之间有空隙</translation>
  </message>
  <message>
   <source>its tensors take {end} bytes, but the file has {size}</source>
   <translation>它的张量占 {end} 字节，而文件有 {size} 字节</translation>
  </message>
  <message>
   <source>its tensors would take more than twice the size of the file, which has {size} bytes.</source>
   <translation>它的张量所需空间超过文件大小（{size} 字节）的两倍。</translation>
  </message>
  <message>
   <source>its tokenizer has {tokens} tokens, but its weights have rows for only {rows}, so the tokenizer is that of another model. Put the model's own tokenizer files there, and open it again.</source>
   <translation>它的分词器有 {tokens} 个词元，而权重只有 {rows} 行，所以这是另一个模型的分词器。请把该模型自己的分词器文件放在那里，然后重新打开。</translation>
  </message>
  <message>
   <source>jump</source>
   <translation>跳升</translation>
  </message>
  <message>
   <source>keys k</source>
   <translation>键 k</translation>
  </message>
  <message>
   <source>largest absolute value</source>
   <translation>最大绝对值</translation>
  </message>
  <message>
   <source>largest logits</source>
   <translation>最大的 logits</translation>
  </message>
  <message>
   <source>largest logits, in descending order</source>
   <translation>最大的几个 logits，从大到小</translation>
  </message>
  <message>
   <source>last</source>
   <translation>最后</translation>
  </message>
  <message>
   <source>last block; attention dashed, others grey</source>
   <translation>最后一块；注意力为虚线，其他层为灰色</translation>
  </message>
  <message>
   <source>last norm</source>
   <translation>最后的归一化</translation>
  </message>
  <message>
   <source>layer</source>
   <translation>层</translation>
  </message>
  <message>
   <source>layer normalisation</source>
   <translation>层归一化</translation>
  </message>
  <message>
   <source>layer normalisation, output layer</source>
   <translation>层归一化，输出层</translation>
  </message>
  <message>
   <source>layer {layer}, position {position}: {share} of the difference is recovered</source>
   <translation>第 {layer} 层，位置 {position}：恢复了差别的 {share}</translation>
  </message>
  <message>
   <source>layer {n}</source>
   <translation>第 {n} 层</translation>
  </message>
  <message>
   <source>layers of {size}</source>
   <translation>{size} 的层数</translation>
  </message>
  <message>
   <source>line {line}: {what}</source>
   <translation>第 {line} 行：{what}</translation>
  </message>
  <message>
   <source>ln p</source>
   <translation>ln p</translation>
  </message>
  <message>
   <source>logit</source>
   <translation>logit</translation>
  </message>
  <message>
   <source>logit differences</source>
   <translation>logit 差</translation>
  </message>
  <message>
   <source>logit of “{right}” minus “{wrong}”</source>
   <translation>“{right}”的 logit 减去“{wrong}”的</translation>
  </message>
  <message>
   <source>logits</source>
   <translation>logits</translation>
  </message>
  <message>
   <source>logits z</source>
   <translation>logits z</translation>
  </message>
  <message>
   <source>logits[0, {minus}1, {id}] = {logit}: {token} has rank {place}</source>
   <translation>logits[0, {minus}1, {id}] = {logit}：{token} 排名第 {place}</translation>
  </message>
  <message>
   <source>loss</source>
   <translation>损失</translation>
  </message>
  <message>
   <source>loss after</source>
   <translation>之后的损失</translation>
  </message>
  <message>
   <source>lowest</source>
   <translation>最低</translation>
  </message>
  <message>
   <source>luxun</source>
   <translation>鲁迅小说</translation>
  </message>
  <message>
   <source>m is a running average of the gradient, with beta one</source>
   <translation>m 是梯度的滑动平均，系数为 β1</translation>
  </message>
  <message>
   <source>mask after</source>
   <translation>后掩码</translation>
  </message>
  <message>
   <source>mask after: each row divided by its sum</source>
   <translation>后掩码：每行再除以该行之和</translation>
  </message>
  <message>
   <source>mask before</source>
   <translation>先掩码</translation>
  </message>
  <message>
   <source>mask m</source>
   <translation>掩码 m</translation>
  </message>
  <message>
   <source>masked scores ω</source>
   <translation>掩码后的分数 ω</translation>
  </message>
  <message>
   <source>masked softmax σ</source>
   <translation>掩码后的 softmax σ</translation>
  </message>
  <message>
   <source>matrix</source>
   <translation>矩阵</translation>
  </message>
  <message>
   <source>matrix: a single matrix in detail. model: the three places where GPT uses dropout.</source>
   <translation>矩阵：细看一个矩阵。模型：GPT 中使用 Dropout 的三处。</translation>
  </message>
  <message>
   <source>mean</source>
   <translation>均值</translation>
  </message>
  <message>
   <source>mean and loss</source>
   <translation>均值与损失</translation>
  </message>
  <message>
   <source>mean distance {bits} bits</source>
   <translation>平均距离 {bits} 比特</translation>
  </message>
  <message>
   <source>mean of ln p</source>
   <translation>ln p 的平均值</translation>
  </message>
  <message>
   <source>mean of x</source>
   <translation>x 的平均值</translation>
  </message>
  <message>
   <source>mean surprisal {bits} bits</source>
   <translation>平均惊讶度 {bits} 比特</translation>
  </message>
  <message>
   <source>mean μ</source>
   <translation>均值 μ</translation>
  </message>
  <message>
   <source>mean, the loss: {loss}</source>
   <translation>平均值，即损失：{loss}</translation>
  </message>
  <message>
   <source>means of LayerNorm's output</source>
   <translation>LayerNorm 输出的均值</translation>
  </message>
  <message>
   <source>means of the normalised rows</source>
   <translation>归一化后各行的均值</translation>
  </message>
  <message>
   <source>means of the output</source>
   <translation>输出的均值</translation>
  </message>
  <message>
   <source>means of the rows</source>
   <translation>各行的均值</translation>
  </message>
  <message>
   <source>measured in an earlier run of the same kind</source>
   <translation>以前同样训练的实测值</translation>
  </message>
  <message>
   <source>megabytes of {size}</source>
   <translation>{size} 的 MB 数</translation>
  </message>
  <message>
   <source>megabytes with bias</source>
   <translation>带偏置的 MB 数</translation>
  </message>
  <message>
   <source>min-p</source>
   <translation>min-p</translation>
  </message>
  <message>
   <source>minutes is {minutes}, but the steps take {planned:g} minutes together.</source>
   <translation>minutes 为 {minutes}，但各步共需 {planned:g} 分钟。</translation>
  </message>
  <message>
   <source>mlp</source>
   <translation>mlp</translation>
  </message>
  <message>
   <source>model</source>
   <translation>模型</translation>
  </message>
  <message>
   <source>model only</source>
   <translation>仅模型</translation>
  </message>
  <message>
   <source>model's logits with bias, first token of the first text</source>
   <translation>带偏置模型的 logits，第一个文本的第一个词元</translation>
  </message>
  <message>
   <source>model's logits with bias, second token of the first text</source>
   <translation>带偏置模型的 logits，第一个文本的第二个词元</translation>
  </message>
  <message>
   <source>model's logits, first token of the first text</source>
   <translation>模型的 logits，第一个文本的第一个词元</translation>
  </message>
  <message>
   <source>model's logits, last token of the second text</source>
   <translation>模型的 logits，第二个文本的最后一个词元</translation>
  </message>
  <message>
   <source>model's own</source>
   <translation>模型自己的</translation>
  </message>
  <message>
   <source>most of all</source>
   <translation>最多</translation>
  </message>
  <message>
   <source>most probable</source>
   <translation>最可能的</translation>
  </message>
  <message>
   <source>mu is the sum of a row's numbers divided by their count</source>
   <translation>μ 等于一行的数之和除以个数</translation>
  </message>
  <message>
   <source>n</source>
   <translation>n</translation>
  </message>
  <message>
   <source>nanoGPT checkpoint</source>
   <translation>nanoGPT 检查点</translation>
  </message>
  <message>
   <source>nats per token</source>
   <translation>nat/词元</translation>
  </message>
  <message>
   <source>never</source>
   <translation>不停</translation>
  </message>
  <message>
   <source>next word</source>
   <translation>下一个词</translation>
  </message>
  <message>
   <source>next word p</source>
   <translation>下一个词 p</translation>
  </message>
  <message>
   <source>nn.Linear</source>
   <translation>nn.Linear</translation>
  </message>
  <message>
   <source>no</source>
   <translation>否</translation>
  </message>
  <message>
   <source>no goal</source>
   <translation>无目标</translation>
  </message>
  <message>
   <source>no gradient clipping (try a gradient clip of 1)</source>
   <translation>没有梯度裁剪（可试将梯度裁剪设为 1）</translation>
  </message>
  <message>
   <source>no longer the book's example</source>
   <translation>已不是书中的示例</translation>
  </message>
  <message>
   <source>no share to recover</source>
   <translation>没有可恢复的份额</translation>
  </message>
  <message>
   <source>no token can be pointed at here; that is possible with tab = "generate".</source>
   <translation>这里不能指词元；只有 tab = "generate" 时可以。</translation>
  </message>
  <message>
   <source>no value, as in a frozen layer</source>
   <translation>没有数值，例如冻结的层</translation>
  </message>
  <message>
   <source>none</source>
   <translation>无</translation>
  </message>
  <message>
   <source>none, a later token</source>
   <translation>无，后面的词元</translation>
  </message>
  <message>
   <source>normalised rows</source>
   <translation>归一化后的各行</translation>
  </message>
  <message>
   <source>normalised x̂</source>
   <translation>归一化 x̂</translation>
  </message>
  <message>
   <source>not a text</source>
   <translation>不是文本</translation>
  </message>
  <message>
   <source>not comparable</source>
   <translation>无法比较</translation>
  </message>
  <message>
   <source>not measured on this computer yet</source>
   <translation>还没有在这台电脑上测过</translation>
  </message>
  <message>
   <source>not measured yet</source>
   <translation>尚未测量</translation>
  </message>
  <message>
   <source>not quite</source>
   <translation>不太对</translation>
  </message>
  <message>
   <source>not renormalised</source>
   <translation>未重新归一化</translation>
  </message>
  <message>
   <source>not tested</source>
   <translation>未经测试</translation>
  </message>
  <message>
   <source>nothing</source>
   <translation>无</translation>
  </message>
  <message>
   <source>nothing can be checked here.</source>
   <translation>这里没有可检查的值。</translation>
  </message>
  <message>
   <source>nothing yet</source>
   <translation>还没有</translation>
  </message>
  <message>
   <source>number of characters</source>
   <translation>文本的字符数</translation>
  </message>
  <message>
   <source>number of parameters</source>
   <translation>参数量</translation>
  </message>
  <message>
   <source>number of tokens</source>
   <translation>词元数</translation>
  </message>
  <message>
   <source>number of words kept</source>
   <translation>保留的词数</translation>
  </message>
  <message>
   <source>numbers separated by commas</source>
   <translation>以逗号分隔的数</translation>
  </message>
  <message>
   <source>numbers separated by commas, with semicolons between rows</source>
   <translation>以逗号分隔的数，行与行之间用分号分隔</translation>
  </message>
  <message>
   <source>of each column</source>
   <translation>各列的</translation>
  </message>
  <message>
   <source>of each row</source>
   <translation>各行的</translation>
  </message>
  <message>
   <source>of {all} steps</source>
   <translation>/ {all} 步</translation>
  </message>
  <message>
   <source>off</source>
   <translation>关</translation>
  </message>
  <message>
   <source>on</source>
   <translation>开</translation>
  </message>
  <message>
   <source>on {device}</source>
   <translation>在 {device} 上</translation>
  </message>
  <message>
   <source>on: PyTorch compiles the model before the first step, which takes some seconds and makes every step faster (torch.compile); auto: on a CUDA GPU, for runs long enough to pay for it.</source>
   <translation>开（on）：PyTorch 在第一步之前编译模型，这需要几秒，之后每一步更快（torch.compile）；auto：在 CUDA GPU 上，且训练足够长、值得编译时。</translation>
  </message>
  <message>
   <source>once for both</source>
   <translation>只设一次</translation>
  </message>
  <message>
   <source>one</source>
   <translation>一</translation>
  </message>
  <message>
   <source>one attention module of GPT-2 small</source>
   <translation>GPT-2 small 的一个注意力模块</translation>
  </message>
  <message>
   <source>one character in {n} tokens, IDs {ids}</source>
   <translation>{n} 个词元合成一个字符，ID {ids}</translation>
  </message>
  <message>
   <source>one feed-forward network of GPT-2 small</source>
   <translation>GPT-2 small 的一个前馈网络</translation>
  </message>
  <message>
   <source>one for all</source>
   <translation>全部相同</translation>
  </message>
  <message>
   <source>one for all: the learning rate below. by size: 0.003239 − 0.0001395 ln N, with N parameters without embeddings (Kaplan et al., 2020, appendix D.6). Each rises over the first tenth of the steps, then falls along half a cosine to a tenth.</source>
   <translation>全部相同：下面的学习率。按规模：0.003239 − 0.0001395 ln N，N 为不含嵌入的参数数量（Kaplan 等，2020，附录 D.6）。都在前十分之一的步数内上升，再沿半个余弦降到十分之一。</translation>
  </message>
  <message>
   <source>one for each processor</source>
   <translation>每个处理器一个</translation>
  </message>
  <message>
   <source>one learned from the text</source>
   <translation>由这段文本学到的词表</translation>
  </message>
  <message>
   <source>one of the text's characters</source>
   <translation>这段文本的字符词表</translation>
  </message>
  <message>
   <source>one of {choices}</source>
   <translation>以下之一：{choices}</translation>
  </message>
  <message>
   <source>one or more texts</source>
   <translation>一篇或多篇文本</translation>
  </message>
  <message>
   <source>one token</source>
   <translation>一个词元</translation>
  </message>
  <message>
   <source>one-hot vector h</source>
   <translation>独热向量 h</translation>
  </message>
  <message>
   <source>only at the end</source>
   <translation>仅在结束时</translation>
  </message>
  <message>
   <source>only when the window is closed</source>
   <translation>仅在关闭窗口时</translation>
  </message>
  <message>
   <source>optimizer</source>
   <translation>优化器</translation>
  </message>
  <message>
   <source>output</source>
   <translation>输出</translation>
  </message>
  <message>
   <source>output layer</source>
   <translation>输出层</translation>
  </message>
  <message>
   <source>output of LayerNorm</source>
   <translation>LayerNorm 的输出</translation>
  </message>
  <message>
   <source>output y</source>
   <translation>输出 y</translation>
  </message>
  <message>
   <source>over epochs</source>
   <translation>按轮数</translation>
  </message>
  <message>
   <source>over steps</source>
   <translation>按步数</translation>
  </message>
  <message>
   <source>over this text</source>
   <translation>取自当前文本</translation>
  </message>
  <message>
   <source>over time</source>
   <translation>按时间</translation>
  </message>
  <message>
   <source>over {text}</source>
   <translation>取自《{text}》</translation>
  </message>
  <message>
   <source>overfitting</source>
   <translation>过拟合</translation>
  </message>
  <message>
   <source>own</source>
   <translation>自定义</translation>
  </message>
  <message>
   <source>own, from the text ({n} tokens)</source>
   <translation>自有，由文本生成（{n} 个词元）</translation>
  </message>
  <message>
   <source>own, from this text</source>
   <translation>自有，由此文本生成</translation>
  </message>
  <message>
   <source>p i is e to the power of z i divided by T, over the sum of the same for the top k words</source>
   <translation>p i 等于 e 的（z i 除以 T）次方，除以前 k 个词的同样的数之和</translation>
  </message>
  <message>
   <source>p({token}) = 0: considered impossible</source>
   <translation>p({token}) = 0：被视为不可能</translation>
  </message>
  <message>
   <source>p({token}) = {p}: 1 in {count}</source>
   <translation>p({token}) = {p}：{count} 次中有 1 次</translation>
  </message>
  <message>
   <source>parameters</source>
   <translation>参数</translation>
  </message>
  <message>
   <source>parameters of a feed-forward network</source>
   <translation>一个前馈网络的参数</translation>
  </message>
  <message>
   <source>parameters of an attention module</source>
   <translation>一个注意力模块的参数</translation>
  </message>
  <message>
   <source>parameters of {size}</source>
   <translation>{size} 的参数</translation>
  </message>
  <message>
   <source>parameters of {size}, tied</source>
   <translation>{size} 的参数，共享权重</translation>
  </message>
  <message>
   <source>parameters with bias</source>
   <translation>带偏置的参数</translation>
  </message>
  <message>
   <source>patched</source>
   <translation>修补后</translation>
  </message>
  <message>
   <source>perplexity</source>
   <translation>困惑度</translation>
  </message>
  <message>
   <source>perplexity is e to the power of L</source>
   <translation>困惑度等于 e 的 L 次方</translation>
  </message>
  <message>
   <source>placeholder</source>
   <translation>占位模型</translation>
  </message>
  <message>
   <source>placeholder's logits, first token of the first text</source>
   <translation>占位模型的 logits，第一个文本的第一个词元</translation>
  </message>
  <message>
   <source>placeholder's logits, last token of the second text</source>
   <translation>占位模型的 logits，第二个文本的最后一个词元</translation>
  </message>
  <message>
   <source>points</source>
   <translation>各点</translation>
  </message>
  <message>
   <source>points: as long as the points need, to see how they differ. slopes: as long as the published slopes need, to see how flat the points are beside them.</source>
   <translation>各点：按各点所需的长度，看出它们的差别。斜率：按已发表的斜率所需的长度，看出各点相比之下有多平。</translation>
  </message>
  <message>
   <source>position embedding</source>
   <translation>位置嵌入</translation>
  </message>
  <message>
   <source>position matrix P</source>
   <translation>位置矩阵 P</translation>
  </message>
  <message>
   <source>position {n}</source>
   <translation>位置 {n}</translation>
  </message>
  <message>
   <source>positions of the words kept, most likely first</source>
   <translation>保留的词的位置，最可能的在前</translation>
  </message>
  <message>
   <source>positions {first} to {last}</source>
   <translation>位置 {first} 到 {last}</translation>
  </message>
  <message>
   <source>preset is {value}; available presets: {names}.</source>
   <translation>preset 是 {value}；可用的预设：{names}。</translation>
  </message>
  <message>
   <source>previous-token head</source>
   <translation>前一词元头</translation>
  </message>
  <message>
   <source>probabilities after top-k</source>
   <translation>top-k 之后的概率</translation>
  </message>
  <message>
   <source>probability</source>
   <translation>概率</translation>
  </message>
  <message>
   <source>probability p</source>
   <translation>概率 p</translation>
  </message>
  <message>
   <source>process {process} on {host}, since {since}</source>
   <translation>{host} 上的进程 {process}，自 {since} 起</translation>
  </message>
  <message>
   <source>prompt</source>
   <translation>提示词</translation>
  </message>
  <message>
   <source>queries q</source>
   <translation>查询 q</translation>
  </message>
  <message>
   <source>rand</source>
   <translation>rand</translation>
  </message>
  <message>
   <source>random guessing</source>
   <translation>随机猜测</translation>
  </message>
  <message>
   <source>random guessing: {loss}</source>
   <translation>随机猜测：{loss}</translation>
  </message>
  <message>
   <source>random weights</source>
   <translation>随机初始化</translation>
  </message>
  <message>
   <source>random, as nn.Linear</source>
   <translation>随机，按 nn.Linear</translation>
  </message>
  <message>
   <source>random, as torch.rand</source>
   <translation>随机，按 torch.rand</translation>
  </message>
  <message>
   <source>rank {n}</source>
   <translation>排名 {n}</translation>
  </message>
  <message>
   <source>rate {rate}</source>
   <translation>学习率 {rate}</translation>
  </message>
  <message>
   <source>reached</source>
   <translation>已达到</translation>
  </message>
  <message>
   <source>recorded</source>
   <translation>记录的</translation>
  </message>
  <message>
   <source>recorded: the points of a run that ships with GPT Studio, with the training settings as they are at first. trained: trains the sizes now, which takes one to two minutes on two free cores.</source>
   <translation>记录的：随 GPT Studio 附带的一次训练的点，训练设置为初始值。训练的：现在训练各规模，在两个空闲核心上需要一到两分钟。</translation>
  </message>
  <message>
   <source>recovered share</source>
   <translation>恢复份额</translation>
  </message>
  <message>
   <source>recovered share {share}</source>
   <translation>恢复份额 {share}</translation>
  </message>
  <message>
   <source>removed</source>
   <translation>去除</translation>
  </message>
  <message>
   <source>removed by {stage}</source>
   <translation>去除（{stage}）</translation>
  </message>
  <message>
   <source>removed: rank {n}, top-k is {k}</source>
   <translation>去除：排名 {n}，top-k 为 {k}</translation>
  </message>
  <message>
   <source>removed: temperature 0</source>
   <translation>去除：温度 0</translation>
  </message>
  <message>
   <source>resid</source>
   <translation>残差</translation>
  </message>
  <message>
   <source>resid: what a layer reads, the residual stream. attention, mlp: what these parts write.</source>
   <translation>残差：一层所读的残差流。注意力、mlp：这些部分写下的内容。</translation>
  </message>
  <message>
   <source>residual before layer {n}</source>
   <translation>第 {n} 层之前的残差</translation>
  </message>
  <message>
   <source>reused</source>
   <translation>复用</translation>
  </message>
  <message>
   <source>right</source>
   <translation>正确</translation>
  </message>
  <message>
   <source>row of ID 3</source>
   <translation>ID 3 的那一行</translation>
  </message>
  <message>
   <source>row of ID {id}</source>
   <translation>ID {id} 的行</translation>
  </message>
  <message>
   <source>row of ID {id}, first {count} of {width} numbers</source>
   <translation>ID {id} 的行，{width} 个数中的前 {count} 个</translation>
  </message>
  <message>
   <source>row {index}</source>
   <translation>第 {index} 行</translation>
  </message>
  <message>
   <source>running average</source>
   <translation>累计平均值</translation>
  </message>
  <message>
   <source>runtime</source>
   <translation>运行库</translation>
  </message>
  <message>
   <source>same</source>
   <translation>相同</translation>
  </message>
  <message>
   <source>sampling stages</source>
   <translation>采样阶段</translation>
  </message>
  <message>
   <source>scaled scores</source>
   <translation>缩放后的分数</translation>
  </message>
  <message>
   <source>score</source>
   <translation>得分</translation>
  </message>
  <message>
   <source>scores of “journey”</source>
   <translation>“journey”的分数</translation>
  </message>
  <message>
   <source>scores ω</source>
   <translation>分数 ω</translation>
  </message>
  <message>
   <source>seed is varied by the list of seeds, not among the settings.</source>
   <translation>seed 通过种子列表变化，而不作为变化的设置。</translation>
  </message>
  <message>
   <source>seed {n}</source>
   <translation>种子 {n}</translation>
  </message>
  <message>
   <source>seeds is {value}; it must be a list of whole numbers, or their number.</source>
   <translation>seeds 为 {value}；应为整数列表，或其个数。</translation>
  </message>
  <message>
   <source>several folders in it contain weights. Choose one of them: {names}.</source>
   <translation>其中有多个文件夹包含权重。请选择其中一个：{names}。</translation>
  </message>
  <message>
   <source>shape</source>
   <translation>形状</translation>
  </message>
  <message>
   <source>shape of a block's output</source>
   <translation>一个块的输出的形状</translation>
  </message>
  <message>
   <source>shape of the logits</source>
   <translation>logits 的形状</translation>
  </message>
  <message>
   <source>shape of the output</source>
   <translation>输出的形状</translation>
  </message>
  <message>
   <source>shape of the output layer's weights</source>
   <translation>输出层权重的形状</translation>
  </message>
  <message>
   <source>shape of the position embeddings</source>
   <translation>位置嵌入的形状</translation>
  </message>
  <message>
   <source>shape of the sum</source>
   <translation>和的形状</translation>
  </message>
  <message>
   <source>shape of the token embeddings</source>
   <translation>词元嵌入的形状</translation>
  </message>
  <message>
   <source>shapes only</source>
   <translation>仅形状</translation>
  </message>
  <message>
   <source>shift of the final norm</source>
   <translation>最终归一化的偏移</translation>
  </message>
  <message>
   <source>shown: the first {n}</source>
   <translation>显示前 {n} 个</translation>
  </message>
  <message>
   <source>sigma squared is the mean of the squared differences from mu</source>
   <translation>σ 平方等于与 μ 之差的平方的均值</translation>
  </message>
  <message>
   <source>sigma squared is the sum of the squared differences from mu, divided by n minus one</source>
   <translation>σ 平方等于与 μ 之差的平方和，除以 n 减 1</translation>
  </message>
  <message>
   <source>skipped</source>
   <translation>已跳过</translation>
  </message>
  <message>
   <source>slope</source>
   <translation>斜率</translation>
  </message>
  <message>
   <source>slopes</source>
   <translation>斜率</translation>
  </message>
  <message>
   <source>softmax</source>
   <translation>softmax</translation>
  </message>
  <message>
   <source>softmax p</source>
   <translation>softmax p</translation>
  </message>
  <message>
   <source>softmax σ</source>
   <translation>softmax σ</translation>
  </message>
  <message>
   <source>split is 'documents', but there is only one document, {name}. Add another text, or split by characters.</source>
   <translation>划分方式为“按文档”，但只有一篇：{name}。请再添加一篇文本，或改为按字符划分。</translation>
  </message>
  <message>
   <source>standard deviation</source>
   <translation>标准差</translation>
  </message>
  <message>
   <source>step</source>
   <translation>步数</translation>
  </message>
  <message>
   <source>step of x</source>
   <translation>x 的步</translation>
  </message>
  <message>
   <source>step of y</source>
   <translation>y 的步</translation>
  </message>
  <message>
   <source>step {n}</source>
   <translation>第 {n} 步</translation>
  </message>
  <message>
   <source>steps</source>
   <translation>步</translation>
  </message>
  <message>
   <source>story</source>
   <translation>自带的故事</translation>
  </message>
  <message>
   <source>sum</source>
   <translation>和</translation>
  </message>
  <message>
   <source>sum of a row</source>
   <translation>一行之和</translation>
  </message>
  <message>
   <source>sum of the attributions</source>
   <translation>归因之和</translation>
  </message>
  <message>
   <source>sums rounded in bf16 (try fp32)</source>
   <translation>求和以 bf16 舍入（可试 fp32）</translation>
  </message>
  <message>
   <source>swish of x is x divided by one plus e to the minus x</source>
   <translation>swish(x) 等于 x 除以（1 加 e 的负 x 次方）</translation>
  </message>
  <message>
   <source>table of 3-grams</source>
   <translation>3-gram 表</translation>
  </message>
  <message>
   <source>table of 3-grams: {loss}</source>
   <translation>3-gram 查表：{loss}</translation>
  </message>
  <message>
   <source>tanh GELU</source>
   <translation>tanh 形式的 GELU</translation>
  </message>
  <message>
   <source>target only</source>
   <translation>只作为目标</translation>
  </message>
  <message>
   <source>targets</source>
   <translation>目标</translation>
  </message>
  <message>
   <source>temperature</source>
   <translation>温度</translation>
  </message>
  <message>
   <source>temperature 0: only the largest logit is kept; {logit} becomes {value}</source>
   <translation>温度 0：只保留最大的 logit；{logit} 变成 {value}</translation>
  </message>
  <message>
   <source>temporary</source>
   <translation>临时空间</translation>
  </message>
  <message>
   <source>text</source>
   <translation>文本</translation>
  </message>
  <message>
   <source>text, head, query, key: {shape}, in {times} layers</source>
   <translation>文本、头、查询、键：{shape}，共 {times} 层</translation>
  </message>
  <message>
   <source>text, token, number: {shape}, once</source>
   <translation>文本、词元、数：{shape}，一次</translation>
  </message>
  <message>
   <source>text, token, number: {shape}, {times} times</source>
   <translation>文本、词元、数：{shape}，{times} 次</translation>
  </message>
  <message>
   <source>texts, the best first</source>
   <translation>文本，最好的在前</translation>
  </message>
  <message>
   <source>the Model panel of this step cannot be opened: {why}</source>
   <translation>无法打开这一步的模型面板：{why}</translation>
  </message>
  <message>
   <source>the attribution is the output of h times the embedding of the word without its mean, divided by sigma</source>
   <translation>归因等于 h 的输出乘以该词减去均值的嵌入，再除以 sigma</translation>
  </message>
  <message>
   <source>the book's code</source>
   <translation>书中的代码</translation>
  </message>
  <message>
   <source>the copy needs {needed} and 5 % in reserve, but only {free} are free at {home}. Free some space and try again.</source>
   <translation>副本需要 {needed}，另需 5 % 的余量，但 {home} 只有 {free} 可用。请腾出一些空间后重试。</translation>
  </message>
  <message>
   <source>the copy takes about {size} of memory</source>
   <translation>副本约占用 {size} 内存</translation>
  </message>
  <message>
   <source>the description of a sweep</source>
   <translation>参数扫描的描述</translation>
  </message>
  <message>
   <source>the downloaded text is not the expected one</source>
   <translation>下载到的文本与预期不符</translation>
  </message>
  <message>
   <source>the effect is the log of the probability of the word, minus that with the output of h set to zero</source>
   <translation>作用等于该词概率的对数，减去 h 的输出设为零时的对数</translation>
  </message>
  <message>
   <source>the end of its text</source>
   <translation>文本结尾</translation>
  </message>
  <message>
   <source>the feed-forward network of layer {layer} ({name})</source>
   <translation>第 {layer} 层的前馈网络（{name}）</translation>
  </message>
  <message>
   <source>the file could not be read: {why}.</source>
   <translation>无法读取：{why}。</translation>
  </message>
  <message>
   <source>the file does not exist.</source>
   <translation>文件不存在。</translation>
  </message>
  <message>
   <source>the file ends within {name}</source>
   <translation>文件在 {name} 中间结束</translation>
  </message>
  <message>
   <source>the file is for a newer version of GPT Studio (format {version}). Update GPT Studio to use it.</source>
   <translation>此文件适用于更新版本的 GPT Studio（格式 {version}）。请更新 GPT Studio 后再使用。</translation>
  </message>
  <message>
   <source>the file is not UTF-8. Save it in this encoding.</source>
   <translation>文件不是 UTF-8。请用这种编码保存文件。</translation>
  </message>
  <message>
   <source>the file is not valid TOML: brackets are nested too deeply.</source>
   <translation>文件不是有效的 TOML：括号嵌套太深。</translation>
  </message>
  <message>
   <source>the file is not valid TOML: {what}.</source>
   <translation>文件不是有效的 TOML：{what}。</translation>
  </message>
  <message>
   <source>the file is too large for the description of a sweep.</source>
   <translation>文件过大，不像是参数扫描的描述。</translation>
  </message>
  <message>
   <source>the file says that it has {n_heads} heads, not {asked}. Leave the number of heads unchanged.</source>
   <translation>该文件注明有 {n_heads} 个头，而不是 {asked} 个。请不要更改头数。</translation>
  </message>
  <message>
   <source>the file was not read: settings may have at most {most} KB.</source>
   <translation>未读取：设置文件最大为 {most} KB。</translation>
  </message>
  <message>
   <source>the file {path} for lesson does not exist.</source>
   <translation>lesson 所指的文件 {path} 不存在。</translation>
  </message>
  <message>
   <source>the folder is empty. {opened}</source>
   <translation>文件夹是空的。{opened}</translation>
  </message>
  <message>
   <source>the folder {path} for texts does not exist.</source>
   <translation>texts 所指的文件夹 {path} 不存在。</translation>
  </message>
  <message>
   <source>the frequency penalty</source>
   <translation>频率惩罚</translation>
  </message>
  <message>
   <source>the full learning rate from the first step (try the cosine schedule, which has a warm-up)</source>
   <translation>从第一步起就使用全部学习率（可试余弦调度，它有预热）</translation>
  </message>
  <message>
   <source>the goal asks for step {goal}, but the run of this step has only {steps} steps. Set more epochs or steps, or ask for fewer.</source>
   <translation>目标要求达到第 {goal} 步，但这一步的训练只有 {steps} 步。请设置更多轮次或步数，或降低要求。</translation>
  </message>
  <message>
   <source>the goal counts only if {name} is {wanted}, but it stays {now}: {why}</source>
   <translation>只有 {name} 为 {wanted} 时目标才算数，但它保持为 {now}：{why}</translation>
  </message>
  <message>
   <source>the gradient of the first layer's weights is a product with one factor J for each later layer</source>
   <translation>第一层权重的梯度是一个乘积，其后的每一层贡献一个因子 J</translation>
  </message>
  <message>
   <source>the header entry for {name} is not a valid type, shape and position</source>
   <translation>文件头中 {name} 一项的类型、形状和位置无效</translation>
  </message>
  <message>
   <source>the installed PyTorch was built without CUDA</source>
   <translation>已安装的 PyTorch 不含 CUDA</translation>
  </message>
  <message>
   <source>the installed program does not include PyTorch's compiler, but GPT Studio run from source has it</source>
   <translation>安装的程序不含 PyTorch 的编译器，从源代码运行的 GPT Studio 有</translation>
  </message>
  <message>
   <source>the lesson's runs up to this step need {needed} GB on the disk, but only {free} GB are free at {path}. Make room there.</source>
   <translation>到这一步为止，课程中的训练需要 {needed} GB 磁盘空间，但 {path} 只有 {free} GB 可用。请在那里腾出空间。</translation>
  </message>
  <message>
   <source>the log-probability of a text is the sum of those of its words</source>
   <translation>文本的对数概率等于各个词的对数概率之和</translation>
  </message>
  <message>
   <source>the loss</source>
   <translation>损失</translation>
  </message>
  <message>
   <source>the loss above {irreducible}</source>
   <translation>高于 {irreducible} 的那部分损失</translation>
  </message>
  <message>
   <source>the loss of N parameters is the irreducible loss plus a times N to the power of minus b</source>
   <translation>N 个参数的损失等于不可约损失加上 a 乘以 N 的负 b 次方</translation>
  </message>
  <message>
   <source>the matrix loses eta times U V transposed, where U Sigma V transposed is the singular value decomposition of the momentum B</source>
   <translation>矩阵减去 η 乘以 U V 转置，其中 U Σ V 转置是动量 B 的奇异值分解</translation>
  </message>
  <message>
   <source>the maximum of {value} is {bound:g}, so it can never be at least {goal:g}.</source>
   <translation>{value} 最大是 {bound:g}，永远不会达到 {goal:g}。</translation>
  </message>
  <message>
   <source>the minimum of {value} is {bound:g}, so it can never be at most {goal:g}.</source>
   <translation>{value} 最小是 {bound:g}，永远不会低到 {goal:g}。</translation>
  </message>
  <message>
   <source>the model has a tokenizer of its own ({file}) of a kind that GPT Studio does not read, so its texts would be read and written wrongly. GPT Studio reads tokenizer.json, or vocab.json with merges.txt. If the model was trained with GPT-2's tokenizer, move the tokenizer files elsewhere and open it again.</source>
   <translation>该模型有自己的分词器（{file}），这种分词器 GPT Studio 不能读取，因此文本的读写都会出错。GPT Studio 可以读取 tokenizer.json，或 vocab.json 加 merges.txt。如果模型是用 GPT-2 的分词器训练的，请把分词器文件移到别处，然后重新打开。</translation>
  </message>
  <message>
   <source>the model produced &lt;|endoftext|&gt;</source>
   <translation>模型生成了 &lt;|endoftext|&gt;</translation>
  </message>
  <message>
   <source>the model's logits</source>
   <translation>模型的 logits</translation>
  </message>
  <message>
   <source>the model, the prompt and the parameters of this text</source>
   <translation>这段文本的模型、提示词和参数</translation>
  </message>
  <message>
   <source>the next ID is the argmax of the model's logits for the last c IDs</source>
   <translation>下一个 ID，是模型对最后 c 个 ID 给出的 logits 的 argmax</translation>
  </message>
  <message>
   <source>the number of parameters is about 12 times layers times width squared, plus vocabulary and context times width, plus vocabulary times width</source>
   <translation>参数量约为 12 乘层数乘宽度的平方，加上词表与上下文之和乘宽度，再加上词表乘宽度</translation>
  </message>
  <message>
   <source>the order of its epoch does not match the {n} windows of the text</source>
   <translation>其轮次的顺序与文本的 {n} 个窗口不符</translation>
  </message>
  <message>
   <source>the page of this step cannot be opened: {why}</source>
   <translation>无法打开这一步的页面：{why}</translation>
  </message>
  <message>
   <source>the placeholder's logits</source>
   <translation>占位模型的 logits</translation>
  </message>
  <message>
   <source>the presence penalty</source>
   <translation>存在惩罚</translation>
  </message>
  <message>
   <source>the preset {name}</source>
   <translation>预设 {name}</translation>
  </message>
  <message>
   <source>the recovered share is the logit difference with the copy minus that of the corrupted sentence, divided by that of the clean one minus that of the corrupted one</source>
   <translation>恢复份额等于复制之后的 logit 差减去受损句子的差，再除以干净句子的差减去受损句子的差</translation>
  </message>
  <message>
   <source>the repetition penalty</source>
   <translation>重复惩罚</translation>
  </message>
  <message>
   <source>the run of this step cannot start: {why}</source>
   <translation>这一步的训练无法开始：{why}</translation>
  </message>
  <message>
   <source>the run of this step needs {needed} GB of memory, but only {free} GB are free. Close other programs, or use a smaller model or batch.</source>
   <translation>这一步的训练需要 {needed} GB 内存，但只有 {free} GB 可用。请关闭其他程序，或使用更小的模型或批次。</translation>
  </message>
  <message>
   <source>the run that Start begins</source>
   <translation>按“开始”会进行的训练</translation>
  </message>
  <message>
   <source>the same matrix as the token embedding</source>
   <translation>与词元嵌入是同一个矩阵</translation>
  </message>
  <message>
   <source>the saved file does not match</source>
   <translation>保存的文件与原文不符</translation>
  </message>
  <message>
   <source>the score is the log-probability divided by n to the power of alpha</source>
   <translation>得分等于对数概率除以 n 的 alpha 次方</translation>
  </message>
  <message>
   <source>the settings</source>
   <translation>设置</translation>
  </message>
  <message>
   <source>the settings of {run}</source>
   <translation>“{run}”的设置</translation>
  </message>
  <message>
   <source>the state of the random numbers is missing or of another kind</source>
   <translation>随机数的状态缺失或属于另一种类</translation>
  </message>
  <message>
   <source>the step itself has {name} in hide or lock. Remove it there.</source>
   <translation>这一步自己的 hide 或 lock 中有 {name}。请在那里移除它。</translation>
  </message>
  <message>
   <source>the stop text was reached</source>
   <translation>遇到了停止文本</translation>
  </message>
  <message>
   <source>the storage of {name} should have {needed} bytes, but {there}. {damaged}</source>
   <translation>{name} 的存储应有 {needed} 字节，实际{there}。{damaged}</translation>
  </message>
  <message>
   <source>the text has ended</source>
   <translation>文本已结束</translation>
  </message>
  <message>
   <source>the text {name} of the lesson is neither beside it nor in the folder for texts. Put it into one of the two, or its step keeps another text.</source>
   <translation>课程的文本 {name} 既不在课程旁边，也不在文本文件夹中。请将它放入其中之一，否则这一步保留其他文本。</translation>
  </message>
  <message>
   <source>the texts</source>
   <translation>文本</translation>
  </message>
  <message>
   <source>the weight loses eta times m hat, divided by the root of v hat plus epsilon</source>
   <translation>权重减去 η 乘以 m 帽，再除以 v 帽的平方根加 ε</translation>
  </message>
  <message>
   <source>then; the current sampling settings remove it</source>
   <translation>（当时）；按现在的设置它会被去除</translation>
  </message>
  <message>
   <source>then; {p} with the current sampling settings</source>
   <translation>（当时）；按现在的设置是 {p}</translation>
  </message>
  <message>
   <source>there are no values here; write the number itself.</source>
   <translation>这里没有可用的值；请直接写出数。</translation>
  </message>
  <message>
   <source>there is no field '{name}' here; available fields: {known}.</source>
   <translation>这里没有名为“{name}”的字段；可用的字段：{known}。</translation>
  </message>
  <message>
   <source>there is no lesson '{value}'; the included lessons are {known}, and the name of a file of your own must end in {ending} or {other}.</source>
   <translation>没有课程“{value}”；自带的课程是 {known}，你自己的课程文件必须以 {ending} 或 {other} 结尾。</translation>
  </message>
  <message>
   <source>there is no page '{page}'; available pages: {known}.</source>
   <translation>没有页面“{page}”；可用的页面：{known}。</translation>
  </message>
  <message>
   <source>there is no tab '{tab}'; available tabs: {known}.</source>
   <translation>没有标签页“{tab}”；可用的标签页：{known}。</translation>
  </message>
  <message>
   <source>there is no token '{token}' to point at here; available tokens: {known}.</source>
   <translation>这里没有可以指的词元“{token}”；可用的有：{known}。</translation>
  </message>
  <message>
   <source>there is no value '{value}' here; available values: {known}.</source>
   <translation>这里没有值“{value}”；可用的值：{known}。</translation>
  </message>
  <message>
   <source>there is no value '{value}' to check here; available values: {known}.</source>
   <translation>这里没有可检查的值“{value}”；可用的值：{known}。</translation>
  </message>
  <message>
   <source>there is not enough memory. Choose a smaller model, or close other programs.</source>
   <translation>内存不足。请选择更小的模型，或关闭其他程序。</translation>
  </message>
  <message>
   <source>this cannot be reached without '{control}': {why}</source>
   <translation>没有“{control}”就无法达到：{why}</translation>
  </message>
  <message>
   <source>this check can never be met: it needs at_least, at_most or equals.</source>
   <translation>这个检查项永远无法达到：它需要 at_least、at_most 或 equals。</translation>
  </message>
  <message>
   <source>this is not a file.</source>
   <translation>这不是文件。</translation>
  </message>
  <message>
   <source>this lesson has no steps. Start each step with [[step]] on a separate line.</source>
   <translation>这门课程没有步骤。每个步骤以单独一行的 [[step]] 开头。</translation>
  </message>
  <message>
   <source>this step cannot set {name}, which keeps its value: {why}</source>
   <translation>这一步无法设置 {name}，它保持原值：{why}</translation>
  </message>
  <message>
   <source>this window's input</source>
   <translation>此窗口的输入</translation>
  </message>
  <message>
   <source>this window's target</source>
   <translation>此窗口的目标</translation>
  </message>
  <message>
   <source>three logits kept, the others removed</source>
   <translation>保留的三个 logits 与被去除的</translation>
  </message>
  <message>
   <source>tied</source>
   <translation>共享</translation>
  </message>
  <message>
   <source>to compute these logits</source>
   <translation>计算这些 logit</translation>
  </message>
  <message>
   <source>to compute what every part of the model does</source>
   <translation>来计算模型每个部分的作用</translation>
  </message>
  <message>
   <source>to copy activations between two prompts</source>
   <translation>来在两个提示词之间复制激活值</translation>
  </message>
  <message>
   <source>to export this model</source>
   <translation>导出该模型</translation>
  </message>
  <message>
   <source>to generate this many texts at once</source>
   <translation>同时生成这么多文本</translation>
  </message>
  <message>
   <source>to generate with this model</source>
   <translation>用该模型生成文本</translation>
  </message>
  <message>
   <source>to look for a learning rate</source>
   <translation>来查找学习率</translation>
  </message>
  <message>
   <source>to measure how long this takes</source>
   <translation>测量所需的时间</translation>
  </message>
  <message>
   <source>to one scale</source>
   <translation>同一比例</translation>
  </message>
  <message>
   <source>to one scale: length shows the number of parameters. as shares: all bars have the same length, in percent.</source>
   <translation>同一比例：长度表示参数多少。按占比：所有条形一样长，按百分比划分。</translation>
  </message>
  <message>
   <source>to open these weights</source>
   <translation>打开这些权重</translation>
  </message>
  <message>
   <source>to train the largest of these models</source>
   <translation>来训练其中最大的模型</translation>
  </message>
  <message>
   <source>to train this model</source>
   <translation>训练该模型</translation>
  </message>
  <message>
   <source>token + position embedding</source>
   <translation>词元嵌入 + 位置嵌入</translation>
  </message>
  <message>
   <source>token IDs</source>
   <translation>词元 ID</translation>
  </message>
  <message>
   <source>token embedding</source>
   <translation>词元嵌入</translation>
  </message>
  <message>
   <source>token embeddings</source>
   <translation>词元嵌入</translation>
  </message>
  <message>
   <source>token matrix E</source>
   <translation>词元矩阵 E</translation>
  </message>
  <message>
   <source>token {key} comes after {parent}, which is not before it in the file</source>
   <translation>词元 {key} 接在 {parent} 之后，而后者在文件中并不在它前面</translation>
  </message>
  <message>
   <source>token {key} has an ID below 0, or an invalid probability</source>
   <translation>词元 {key} 的 ID 小于 0，或概率无效</translation>
  </message>
  <message>
   <source>token {key} is in the wrong place: {why}</source>
   <translation>词元 {key} 的位置不对：{why}</translation>
  </message>
  <message>
   <source>token {key} occurs twice</source>
   <translation>词元 {key} 出现了两次</translation>
  </message>
  <message>
   <source>tokenizer.json is damaged, or another program changed it.</source>
   <translation>tokenizer.json 已损坏，或被其他程序改动。</translation>
  </message>
  <message>
   <source>tokenizer.json is not a valid tokenizer: {why}</source>
   <translation>tokenizer.json 不是有效的分词器：{why}</translation>
  </message>
  <message>
   <source>tokens generated</source>
   <translation>已生成的词元数</translation>
  </message>
  <message>
   <source>tolerance is for a number, and cannot be below 0.</source>
   <translation>tolerance 只用于 number，且不能小于 0。</translation>
  </message>
  <message>
   <source>top-k</source>
   <translation>top-k</translation>
  </message>
  <message>
   <source>top-p</source>
   <translation>top-p</translation>
  </message>
  <message>
   <source>torch's cross_entropy</source>
   <translation>torch 的 cross_entropy</translation>
  </message>
  <message>
   <source>torch's cross_entropy from the logits: {value}; difference from the loss: {apart}</source>
   <translation>torch 的 cross_entropy（由 logits 算出）：{value}；与损失相差 {apart}</translation>
  </message>
  <message>
   <source>torch.rand</source>
   <translation>torch.rand</translation>
  </message>
  <message>
   <source>trained</source>
   <translation>训练的</translation>
  </message>
  <message>
   <source>trained is only for steps with tab = "generate"; experiments offer a trained model themselves.</source>
   <translation>trained 只用于 tab = "generate" 的步骤；实验页自己会提供训练过的模型。</translation>
  </message>
  <message>
   <source>training loss</source>
   <translation>训练损失</translation>
  </message>
  <message>
   <source>true or false</source>
   <translation>真或假</translation>
  </message>
  <message>
   <source>two of its entries have the same name. {damaged}</source>
   <translation>其中有两个条目同名。{damaged}</translation>
  </message>
  <message>
   <source>typical-p</source>
   <translation>typical-p</translation>
  </message>
  <message>
   <source>underlined: stretches of five or more tokens that occur word for word in the counted text</source>
   <translation>下划线：五个或更多词元、在被统计的文本中一字不差出现的片段</translation>
  </message>
  <message>
   <source>unknown: for experiments without text</source>
   <translation>未知：仅供不涉及文本的实验</translation>
  </message>
  <message>
   <source>v is a running average of the square of the gradient, with beta two</source>
   <translation>v 是梯度平方的滑动平均，系数为 β2</translation>
  </message>
  <message>
   <source>validation loss</source>
   <translation>验证损失</translation>
  </message>
  <message>
   <source>value</source>
   <translation>值</translation>
  </message>
  <message>
   <source>values v</source>
   <translation>值 v</translation>
  </message>
  <message>
   <source>values, output projection</source>
   <translation>值，输出投影</translation>
  </message>
  <message>
   <source>variance</source>
   <translation>方差</translation>
  </message>
  <message>
   <source>variance σ²</source>
   <translation>方差 σ²</translation>
  </message>
  <message>
   <source>variances of the normalised rows</source>
   <translation>归一化后各行的方差</translation>
  </message>
  <message>
   <source>variances of the output</source>
   <translation>输出的方差</translation>
  </message>
  <message>
   <source>variances of the rows</source>
   <translation>各行的方差</translation>
  </message>
  <message>
   <source>verdict</source>
   <translation>The Verdict</translation>
  </message>
  <message>
   <source>weight files are missing ({n} of {all}): {names}. Download them from the same place as the others.</source>
   <translation>缺少权重文件（{all} 个中缺 {n} 个）：{names}。请从其他文件的来源处下载它们。</translation>
  </message>
  <message>
   <source>weights</source>
   <translation>权重</translation>
  </message>
  <message>
   <source>weights a, some dropped</source>
   <translation>权重 a，部分丢弃</translation>
  </message>
  <message>
   <source>weights of “Your”</source>
   <translation>“Your”的权重</translation>
  </message>
  <message>
   <source>weights of “journey”</source>
   <translation>“journey”的权重</translation>
  </message>
  <message>
   <source>weights α</source>
   <translation>权重 α</translation>
  </message>
  <message>
   <source>weights α, mask after</source>
   <translation>权重 α，后掩码</translation>
  </message>
  <message>
   <source>weights α, mask before</source>
   <translation>权重 α，先掩码</translation>
  </message>
  <message>
   <source>where GELU's slope is 0</source>
   <translation>GELU 斜率为 0 之处</translation>
  </message>
  <message>
   <source>whole numbers separated by commas</source>
   <translation>以逗号分隔的整数</translation>
  </message>
  <message>
   <source>width of {size}</source>
   <translation>{size} 的宽度</translation>
  </message>
  <message>
   <source>width {width}, layers {layers}</source>
   <translation>宽度 {width}，层数 {layers}</translation>
  </message>
  <message>
   <source>window {k}</source>
   <translation>窗口 {k}</translation>
  </message>
  <message>
   <source>with</source>
   <translation>有</translation>
  </message>
  <message>
   <source>with bias</source>
   <translation>带偏置</translation>
  </message>
  <message>
   <source>with shortcuts</source>
   <translation>有快捷连接</translation>
  </message>
  <message>
   <source>with shortcuts each factor is the identity I plus J</source>
   <translation>有快捷连接时，每个因子是单位矩阵 I 加 J</translation>
  </message>
  <message>
   <source>with shortcuts, built second</source>
   <translation>有快捷连接，后建立</translation>
  </message>
  <message>
   <source>with shortcuts, exact GELU</source>
   <translation>有快捷连接，精确的 GELU</translation>
  </message>
  <message>
   <source>with shortcuts, layers 0 to 4</source>
   <translation>有快捷连接，第 0 至 4 层</translation>
  </message>
  <message>
   <source>with the change</source>
   <translation>带改动</translation>
  </message>
  <message>
   <source>with {n} thread</source>
   <translation>使用 {n} 个线程</translation>
  </message>
  <message>
   <source>with {n} threads</source>
   <translation>使用 {n} 个线程</translation>
  </message>
  <message>
   <source>without</source>
   <translation>无</translation>
  </message>
  <message>
   <source>without embeddings</source>
   <translation>不含嵌入</translation>
  </message>
  <message>
   <source>without embeddings: attention, feed-forward networks and norms, as Kaplan et al. count. all parameters: embeddings and output layer too, as Hoffmann et al. count.</source>
   <translation>不含嵌入：注意力、前馈网络和归一化，Kaplan 等这样计数。全部参数：还包括嵌入和输出层，Hoffmann 等这样计数。</translation>
  </message>
  <message>
   <source>without shortcuts</source>
   <translation>无快捷连接</translation>
  </message>
  <message>
   <source>without shortcuts, exact GELU</source>
   <translation>无快捷连接，精确的 GELU</translation>
  </message>
  <message>
   <source>without shortcuts, layers 0 to 4</source>
   <translation>无快捷连接，第 0 至 4 层</translation>
  </message>
  <message>
   <source>words</source>
   <translation>词</translation>
  </message>
  <message>
   <source>workshop</source>
   <translation>workshop</translation>
  </message>
  <message>
   <source>x</source>
   <translation>x</translation>
  </message>
  <message>
   <source>x hat is x minus mu, divided by the root of sigma squared plus epsilon</source>
   <translation>x̂ 等于 x 减 μ，除以 σ 平方加 ε 的平方根</translation>
  </message>
  <message>
   <source>x is the row of the ID in the token matrix E, plus the row of its position in the position matrix P.</source>
   <translation>x 是词元矩阵 E 中该 ID 的行，加上位置矩阵 P 中其位置的行。</translation>
  </message>
  <message>
   <source>x, number {at}: {row} + {place} = {sum}</source>
   <translation>x 的第 {at} 个数：{row} + {place} = {sum}</translation>
  </message>
  <message>
   <source>y is gamma times x hat plus beta</source>
   <translation>y 等于 γ 乘 x̂ 加 β</translation>
  </message>
  <message>
   <source>yes</source>
   <translation>是</translation>
  </message>
  <message>
   <source>z / T</source>
   <translation>z / T</translation>
  </message>
  <message>
   <source>zero</source>
   <translation>零</translation>
  </message>
  <message>
   <source>zero: nothing. mean: the mean of the output over the words of the sentence.</source>
   <translation>零：没有输出。均值：输出在句子各词上的均值。</translation>
  </message>
  <message>
   <source>{answer}: {n} of {asked}</source>
   <translation>{answer}：{n} / {asked}</translation>
  </message>
  <message>
   <source>{axis} {x}</source>
   <translation>{axis} {x}</translation>
  </message>
  <message>
   <source>{before}
{line}</source>
   <translation>{before}
{line}</translation>
  </message>
  <message>
   <source>{before} generated the text up to here; {now} continues it.</source>
   <translation>到这里为止由 {before} 生成；接下来由 {now} 继续。</translation>
  </message>
  <message>
   <source>{before} → {after}</source>
   <translation>{before} → {after}</translation>
  </message>
  <message>
   <source>{before} → {after} bits</source>
   <translation>{before} → {after} 比特</translation>
  </message>
  <message>
   <source>{before}, then {rate} from step {n}</source>
   <translation>{before}，从第 {n} 步起为 {rate}</translation>
  </message>
  <message>
   <source>{bits} bits before they diverge</source>
   <translation>分岔之前 {bits} 比特</translation>
  </message>
  <message>
   <source>{bits} bits per byte of the text</source>
   <translation>文本每字节 {bits} 比特</translation>
  </message>
  <message>
   <source>{broken} in {file} contains values that are not valid numbers (NaN or infinite). The weights are damaged, for example because training diverged. Choose an earlier checkpoint or another model.</source>
   <translation>{file} 中的 {broken} 含有无效的数（NaN 或无穷大）。权重已损坏，例如因为训练发散。请选择更早的检查点或其他模型。</translation>
  </message>
  <message>
   <source>{components} + ({rest}) = {logit}</source>
   <translation>{components} + ({rest}) = {logit}</translation>
  </message>
  <message>
   <source>{component} is ablated twice. Name each part once.</source>
   <translation>{component} 给出了两次。每个部分只写一次。</translation>
  </message>
  <message>
   <source>{config}, untrained, seed {seed}</source>
   <translation>{config}，未训练，种子 {seed}</translation>
  </message>
  <message>
   <source>{count} / {expected}</source>
   <translation>{count} / {expected}</translation>
  </message>
  <message>
   <source>{count} layers</source>
   <translation>{count} 层</translation>
  </message>
  <message>
   <source>{count} of {all} numbers match the book</source>
   <translation>{all} 个数中有 {count} 个与书中一致</translation>
  </message>
  <message>
   <source>{count} of {all} words can be drawn. Entropy: {entropy} bits, the average number of yes-or-no questions needed to find out which. Orange cross: how often to expect a word, and its typical random deviation.</source>
   <translation>{all} 个词中有 {count} 个可能被抽到。熵：{entropy} 比特，即平均需要多少个是非问题才能确定是哪一个。橙色十字：一个词预期出现多少次，以及通常的随机偏差。</translation>
  </message>
  <message>
   <source>{device}: {free} of {total} free</source>
   <translation>{device}：空闲 {free}，共 {total}</translation>
  </message>
  <message>
   <source>{device}: {used} of {total} used</source>
   <translation>{device}：已用 {used}，共 {total}</translation>
  </message>
  <message>
   <source>{done} of {minutes} min</source>
   <translation>{done} / {minutes} 分钟</translation>
  </message>
  <message>
   <source>{file} ({why})</source>
   <translation>{file}（{why}）</translation>
  </message>
  <message>
   <source>{file} has the escape sequences of an encoding of seven bits.</source>
   <translation>{file} 中有 7 位编码的转义序列。</translation>
  </message>
  <message>
   <source>{file} in it is a link to a file that does not exist. Download the model again.</source>
   <translation>其中的 {file} 是一个链接，它指向的文件不存在。请重新下载模型。</translation>
  </message>
  <message>
   <source>{file} is damaged: wrong checksum (SHA-256). Choose an earlier checkpoint.</source>
   <translation>{file} 已损坏：校验和（SHA-256）不符。请选择更早的检查点。</translation>
  </message>
  <message>
   <source>{file} is not a text file: it has a zero byte at position {position}.</source>
   <translation>{file} 不是文本文件：位置 {position} 处有一个零字节。</translation>
  </message>
  <message>
   <source>{file} is not a valid checkpoint state.</source>
   <translation>{file} 不是有效的检查点状态。</translation>
  </message>
  <message>
   <source>{file} is not a valid weights file: {error}.</source>
   <translation>{file} 不是有效的权重文件：{error}。</translation>
  </message>
  <message>
   <source>{file} is not valid {encoding}: byte {position} is 0x{byte}.</source>
   <translation>{file} 不是有效的 {encoding}：第 {position} 字节是 0x{byte}。</translation>
  </message>
  <message>
   <source>{file} was saved by a newer version of GPT Studio (format {version}) and cannot be read by this one. GPT Studio starts without it; the file is kept, with “.aside” added to its name. To use it again, update GPT Studio and give the file its old name.</source>
   <translation>{file} 由更新版本的 GPT Studio 保存（格式 {version}），当前版本无法读取，因此 GPT Studio 启动时未使用它。文件仍保留在原处，文件名末尾加上了“.aside”。要再次使用，请更新 GPT Studio，并把文件改回原名。</translation>
  </message>
  <message>
   <source>{first} (and {more} more)</source>
   <translation>{first}（另有 {more} 个）</translation>
  </message>
  <message>
   <source>{first} and {second}</source>
   <translation>{first}，{second}</translation>
  </message>
  <message>
   <source>{first} at first, {peak} at most, {last} at the end</source>
   <translation>起初 {first}，最高 {peak}，最后 {last}</translation>
  </message>
  <message>
   <source>{first}, {second}</source>
   <translation>{first}、{second}</translation>
  </message>
  <message>
   <source>{folder} already exists. Choose another name for this model.</source>
   <translation>{folder} 已存在。请为该模型选择其他名称。</translation>
  </message>
  <message>
   <source>{folder} contains a model but no optimizer state. It can generate, but its run cannot continue from it.</source>
   <translation>{folder} 含有模型，但没有优化器状态。它可以生成文本，但训练无法从它继续。</translation>
  </message>
  <message>
   <source>{host} announced {size} bytes for {name} but sent a different number. The download was deleted. Try again; if it happens again, the copy on the server is damaged.</source>
   <translation>{host} 声明 {name} 有 {size} 字节，实际发送的数量却不同。下载的内容已删除。请重试；如果再次发生，说明服务器上的副本已损坏。</translation>
  </message>
  <message>
   <source>{host} does not have {repository} (status {status}). If HF_ENDPOINT points to a mirror, contact its operator.</source>
   <translation>{host} 上没有 {repository}（状态码 {status}）。如果 HF_ENDPOINT 指向镜像站，请联系其维护者。</translation>
  </message>
  <message>
   <source>{host} does not report the version, size and checksum of {name}, so the download could not be verified. It does not serve models the way huggingface.co does. Check the environment variable HF_ENDPOINT.</source>
   <translation>{host} 没有提供 {name} 的版本、大小和校验和，因此无法验证下载是否完整。它提供模型的方式与 huggingface.co 不同。请检查环境变量 HF_ENDPOINT。</translation>
  </message>
  <message>
   <source>{host} has an internal problem (status {status}). Try again later; the partial download is kept.</source>
   <translation>{host} 自身出了问题（状态码 {status}）。请稍后再试；已下载的部分会保留。</translation>
  </message>
  <message>
   <source>{host} provides {repository} only to signed-in users (status {status}), and GPT Studio does not sign in.</source>
   <translation>{host} 只向已登录的用户提供 {repository}（状态码 {status}），而 GPT Studio 不会登录。</translation>
  </message>
  <message>
   <source>{host} received too many requests from this network (status 429). Try again in a few minutes; the partial download is kept.</source>
   <translation>来自此网络的请求过于频繁，{host} 暂时拒绝（状态码 429）。请过几分钟再试；已下载的部分会保留。</translation>
  </message>
  <message>
   <source>{h} h {m} min</source>
   <translation>{h} 小时 {m} 分</translation>
  </message>
  <message>
   <source>{id} ×{count}</source>
   <translation>{id} ×{count}</translation>
  </message>
  <message>
   <source>{kept} of the {n} unlisted tokens are kept</source>
   <translation>未列出的 {n} 个词元中保留 {kept} 个</translation>
  </message>
  <message>
   <source>{key} contains '{name}', which is not a control; gptstudio settings --controls lists all controls.</source>
   <translation>{key} 中的“{name}”不是控件；gptstudio settings --controls 会列出全部控件。</translation>
  </message>
  <message>
   <source>{key} contains '{name}', which is not a control; similar: {near}.</source>
   <translation>{key} 中的“{name}”不是控件；相近的有 {near}。</translation>
  </message>
  <message>
   <source>{key} in config.json is {value}, but the GPT-2 built here requires {allowed}. This model computes something else and cannot be opened. Choose one with the GPT-2 architecture.</source>
   <translation>config.json 中的 {key} 是 {value}，而这里构建的 GPT-2 要求 {allowed}。这个模型的计算方式不同，无法打开。请选择采用 GPT-2 架构的模型。</translation>
  </message>
  <message>
   <source>{key} in config.json is {value}; it must be {what}. The file is damaged or was edited by hand. Download it again.</source>
   <translation>config.json 中的 {key} 是 {value}；必须是{what}。文件已损坏或被手工改写。请重新下载。</translation>
  </message>
  <message>
   <source>{key} is empty; enter some text.</source>
   <translation>{key} 是空的；请写几个字。</translation>
  </message>
  <message>
   <source>{key} is missing.</source>
   <translation>缺少 {key}。</translation>
  </message>
  <message>
   <source>{key} is not a list of steps; each step begins with [[{key}]] on its own line.</source>
   <translation>{key} 不是步骤列表；每个步骤以单独一行的 [[{key}]] 开头。</translation>
  </message>
  <message>
   <source>{key} is {value}; it must be {what}.</source>
   <translation>{key} 是 {value}；必须是{what}。</translation>
  </message>
  <message>
   <source>{key} names '{name}', which is not in the window, so the step continues without it; similar: {near}.</source>
   <translation>{key} 指定的“{name}”不在窗口中，因此这一步不使用它；相近的名称：{near}。</translation>
  </message>
  <message>
   <source>{key} names '{name}', which is on another page than this step and cannot be seen. Name a control of this page.</source>
   <translation>{key} 指定的“{name}”不在这一步的页面上，无法看到。请指定本页的控件。</translation>
  </message>
  <message>
   <source>{key} names '{name}', which this step cannot use: {why}</source>
   <translation>这一步无法使用 {key} 指定的“{name}”：{why}</translation>
  </message>
  <message>
   <source>{known}, limited to a factor of {most}</source>
   <translation>{known}，修正限制在 {most} 倍以内</translation>
  </message>
  <message>
   <source>{known}, without saving checkpoints</source>
   <translation>{known}，不含保存检查点</translation>
  </message>
  <message>
   <source>{k} of {n} groups of tokens the same</source>
   <translation>{n} 组词元中 {k} 组相同</translation>
  </message>
  <message>
   <source>{k} of {n} tokens the same</source>
   <translation>{n} 个词元中 {k} 个相同</translation>
  </message>
  <message>
   <source>{label} ({name})</source>
   <translation>{label}（{name}）</translation>
  </message>
  <message>
   <source>{label} contains bytes that are not valid characters; enter it again.</source>
   <translation>{label}包含无效字符的字节；请重新输入。</translation>
  </message>
  <message>
   <source>{label}: {theirs} in the weights, {ours} in this model</source>
   <translation>{label}：权重为 {theirs}，此模型为 {ours}</translation>
  </message>
  <message>
   <source>{label}: {theirs} in the weights, {ours} in this model; positions that were never trained cannot be added</source>
   <translation>{label}：权重为 {theirs}，此模型为 {ours}；无法补出从未训练过的位置</translation>
  </message>
  <message>
   <source>{layers} blocks with {heads} heads, {width} numbers for each token</source>
   <translation>{layers} 个块，每块 {heads} 个头，每个词元用 {width} 个数表示</translation>
  </message>
  <message>
   <source>{layer}, after “{read}”:   {said}</source>
   <translation>{layer}，读到“{read}”之后：{said}</translation>
  </message>
  <message>
   <source>{lesson} ({length})</source>
   <translation>{lesson}（{length}）</translation>
  </message>
  <message>
   <source>{lesson}: {n} of {count}; skipped: {skipped}</source>
   <translation>{lesson}：{n} / {count}；已跳过：{skipped}</translation>
  </message>
  <message>
   <source>{loss} bits per byte</source>
   <translation>每字节 {loss} 比特</translation>
  </message>
  <message>
   <source>{loss} nats per token</source>
   <translation>每词元 {loss} nat</translation>
  </message>
  <message>
   <source>{loss}: like choosing among {count} equally likely tokens</source>
   <translation>{loss}：相当于在 {count} 个可能性相同的词元中选择</translation>
  </message>
  <message>
   <source>{low} to {high}</source>
   <translation>{low} 至 {high}</translation>
  </message>
  <message>
   <source>{minutes} min</source>
   <translation>{minutes} 分钟</translation>
  </message>
  <message>
   <source>{model} on {device}</source>
   <translation>{model}，在 {device} 上</translation>
  </message>
  <message>
   <source>{much} of memory for training</source>
   <translation>占用内存 {much}</translation>
  </message>
  <message>
   <source>{m} min {s} s</source>
   <translation>{m} 分 {s} 秒</translation>
  </message>
  <message>
   <source>{name}  ·  {total} parameters</source>
   <translation>{name}  ·  {total} 个参数</translation>
  </message>
  <message>
   <source>{name} ({n})</source>
   <translation>{name}（{n}）</translation>
  </message>
  <message>
   <source>{name} ({text}) is too short. It needs at least two tokens: one to read and one to predict.</source>
   <translation>{name}（{text}）太短。至少需要两个词元：一个用来读，一个用来预测。</translation>
  </message>
  <message>
   <source>{name} already exists. Replace it?</source>
   <translation>{name} 已存在。要替换吗？</translation>
  </message>
  <message>
   <source>{name} and {n} more</source>
   <translation>{name} 和另外 {n} 个</translation>
  </message>
  <message>
   <source>{name} cannot be varied by a range; give a list of values.</source>
   <translation>{name} 不能用范围变化；请给出取值列表。</translation>
  </message>
  <message>
   <source>{name} cannot be varied. The settings that can be are: {known}.</source>
   <translation>{name} 不能作为变化的设置。可以变化的设置有：{known}。</translation>
  </message>
  <message>
   <source>{name} contains an incomplete character (half of a surrogate pair), which has no bytes. Delete it.</source>
   <translation>“{name}”里有不完整的字符（半个代理对），它没有对应的字节。请删去它。</translation>
  </message>
  <message>
   <source>{name} contains values that are not valid numbers (NaN or infinite). The weights are damaged, for example because training diverged. Choose an earlier file, or download or copy this one again.</source>
   <translation>{name} 含有无效的数（NaN 或无穷大）。权重已损坏，例如因为训练发散。请选择更早的文件，或重新下载或复制该文件。</translation>
  </message>
  <message>
   <source>{name} does not belong to it</source>
   <translation>{name} 不属于它</translation>
  </message>
  <message>
   <source>{name} has a vocabulary of {size} tokens, which is not GPT-2's: GPT Studio does not know what its tokens mean, so it can neither read nor write text with it. Choose a model with GPT-2's vocabulary of {ours} tokens.</source>
   <translation>{name} 的词表有 {size} 个词元，不是 GPT-2 的词表：GPT Studio 不知道这些词元的含义，因此不能用它读写文本。请选择使用 GPT-2 词表（{ours} 个词元）的模型。</translation>
  </message>
  <message>
   <source>{name} has no valid value</source>
   <translation>{name} 的值无效</translation>
  </message>
  <message>
   <source>{name} has no values to vary; enter at least one.</source>
   <translation>{name} 没有取值；请至少输入一个。</translation>
  </message>
  <message>
   <source>{name} has shape {found}, but {shape} was expected</source>
   <translation>{name} 的形状为 {found}，应为 {shape}</translation>
  </message>
  <message>
   <source>{name} has the part {key}, which is no part of a range; the parts are {parts}.</source>
   <translation>{name} 含有 {key}，它不是范围的组成部分；组成部分有 {parts}。</translation>
  </message>
  <message>
   <source>{name} has the shape {shape}, which needs {elements} numbers, but its storage in the file has {there}. It was not saved in the way model weights are.</source>
   <translation>{name} 的形状为 {shape}，需要 {elements} 个数，但它在文件中的存储只有 {there} 个。它不是按模型权重的方式保存的。</translation>
  </message>
  <message>
   <source>{name} has the shape {shape}; expected {expected}. The weights do not match their configuration, or belong to another kind of model. Choose the files of one GPT-2.</source>
   <translation>{name} 的形状是 {shape}，而应为 {expected}。权重与其配置不匹配，或属于另一种模型。请选择同一个 GPT-2 的文件。</translation>
  </message>
  <message>
   <source>{name} has the wrong checksum. The file is damaged; download or copy it again.</source>
   <translation>{name} 的校验和不符。文件已损坏；请重新下载或复制。</translation>
  </message>
  <message>
   <source>{name} has {count} characters; the maximum is {high}.</source>
   <translation>{name} 有 {count} 个字符；最多 {high} 个。</translation>
  </message>
  <message>
   <source>{name} in it is compressed or password-protected, which torch never does; unpacked, it would take {size} MB. Save it again with torch.save.</source>
   <translation>其中的 {name} 经过压缩或受密码保护，torch 从不这样做；解压后会占 {size} MB。请用 torch.save 重新保存。</translation>
  </message>
  <message>
   <source>{name} is a setting of load; give it there, and pass the loaded model.</source>
   <translation>{name} 是 load 的设置；请在那里给出，再传入加载好的模型。</translation>
  </message>
  <message>
   <source>{name} is empty. Enter at least one row of numbers.</source>
   <translation>{name} 为空。请至少输入一行数。</translation>
  </message>
  <message>
   <source>{name} is hidden by line {line} of the settings. Remove it from hide there, or change this step.</source>
   <translation>设置的第 {line} 行隐藏了 {name}。请从该处的 hide 中移除它，或更改这一步。</translation>
  </message>
  <message>
   <source>{name} is locked by line {line} of the settings. Remove it from lock there, or change this step.</source>
   <translation>设置的第 {line} 行锁定了 {name}。请从该处的 lock 中移除它，或更改这一步。</translation>
  </message>
  <message>
   <source>{name} is missing</source>
   <translation>缺少 {name}</translation>
  </message>
  <message>
   <source>{name} is not a setting. The settings are: {known}.</source>
   <translation>{name} 不是设置项。设置项有：{known}。</translation>
  </message>
  <message>
   <source>{name} is not a setting: nothing can be set here.</source>
   <translation>{name} 不是设置项；这里没有可设置的内容。</translation>
  </message>
  <message>
   <source>{name} is not part of it</source>
   <translation>{name} 不属于它</translation>
  </message>
  <message>
   <source>{name} is not where its table of contents says. {damaged}</source>
   <translation>{name} 不在目录所说的位置。{damaged}</translation>
  </message>
  <message>
   <source>{name} is of type {kind}; weights must be float32, float16, bfloat16 or float64. Quantised or packed weights cannot be opened. Choose the model as originally published.</source>
   <translation>{name} 的类型是 {kind}；权重必须为 float32、float16、bfloat16 或 float64。经过量化或打包的权重无法打开。请选择最初发布的模型。</translation>
  </message>
  <message>
   <source>{name} is stored as {dtype}, but torch.float32 was expected</source>
   <translation>{name} 以 {dtype} 存储，应为 torch.float32</translation>
  </message>
  <message>
   <source>{name} is stored as {dtype}, which GPT Studio cannot read</source>
   <translation>{name} 以 {dtype} 存储，GPT Studio 无法读取</translation>
  </message>
  <message>
   <source>{name} is stored as {dtype}, which GPT Studio does not save</source>
   <translation>{name} 以 {dtype} 存储，GPT Studio 不会这样保存</translation>
  </message>
  <message>
   <source>{name} is {rate}. At 1 every number would be dropped, and the scale factor 1 / (1 - 1) would be infinite. It must be at most {highest}.</source>
   <translation>{name} 为 {rate}。为 1 时所有数都会被丢弃，缩放系数 1 / (1 - 1) 为无穷大。最大可取 {highest}。</translation>
  </message>
  <message>
   <source>{name} is {value}; it must be a group of settings.</source>
   <translation>{name} 为 {value}；必须是一组设置。</translation>
  </message>
  <message>
   <source>{name} is {value}; it must be a list of values, or a range such as {example}.</source>
   <translation>{name} 为 {value}；应为取值列表，或如 {example} 的范围。</translation>
  </message>
  <message>
   <source>{name} is {value}; it must be {what}.</source>
   <translation>{name}：{value} 无效；必须是{what}。</translation>
  </message>
  <message>
   <source>{name} itself adds {value} to the logit</source>
   <translation>{name} 自身给 logit 加上 {value}</translation>
  </message>
  <message>
   <source>{name} must be {what}, not {value}.</source>
   <translation>{name}：{value} 无效；必须是{what}。</translation>
  </message>
  <message>
   <source>{name} no longer exists, so new random weights are used.</source>
   <translation>{name} 已不存在，因此改用新的随机权重。</translation>
  </message>
  <message>
   <source>{name} of a spec that exists cannot be changed. Use but({name}=...), which returns another spec.</source>
   <translation>已有的设置中的 {name} 不能更改。请用 but({name}=...) 得到一份新的设置。</translation>
  </message>
  <message>
   <source>{name} set to 0: the log-probability falls by {value} nats</source>
   <translation>{name} 设为 0：对数概率下降 {value} nat</translation>
  </message>
  <message>
   <source>{name} should be in it but is not. {damaged}</source>
   <translation>其中应有 {name}，但没有。{damaged}</translation>
  </message>
  <message>
   <source>{name} {shape}</source>
   <translation>{name} {shape}</translation>
  </message>
  <message>
   <source>{name} {value}, slope {slope}</source>
   <translation>{name} {value}，斜率 {slope}</translation>
  </message>
  <message>
   <source>{name}, item {place}, is {value}; it must be {what}.</source>
   <translation>{name} 第 {place} 项为 {value}；必须是{what}。</translation>
  </message>
  <message>
   <source>{name}, model {place}: {value} must be between {low} and {high}.</source>
   <translation>{name}，第 {place} 个模型：{value} 必须在 {low} 到 {high} 之间。</translation>
  </message>
  <message>
   <source>{name}, number {place}: {value} must be between {low} and {high}.</source>
   <translation>“{name}”的第 {place} 个数：{value} 必须在 {low} 到 {high} 之间。</translation>
  </message>
  <message>
   <source>{name}, row {row}, column {column}, is {value}; it must be {what}.</source>
   <translation>{name} 第 {row} 行第 {column} 列为 {value}；必须是{what}。</translation>
  </message>
  <message>
   <source>{name}, row {row}, column {column}: {value} must be a number between {low} and {high}.</source>
   <translation>{name} 第 {row} 行第 {column} 列：{value} 必须是 {low} 到 {high} 之间的数。</translation>
  </message>
  <message>
   <source>{name}, token by token</source>
   <translation>{name}，逐词元显示</translation>
  </message>
  <message>
   <source>{name}, untrained, random seed {seed}</source>
   <translation>{name}，未训练，随机种子 {seed}</translation>
  </message>
  <message>
   <source>{name}: attends to all tokens so far alike</source>
   <translation>{name}：均匀关注此前所有词元</translation>
  </message>
  <message>
   <source>{name}: attends to the previous token</source>
   <translation>{name}：关注前一个词元</translation>
  </message>
  <message>
   <source>{name}: attends to the token itself</source>
   <translation>{name}：关注词元自身</translation>
  </message>
  <message>
   <source>{name}: induction {induction}, previous token {previous}, duplicate token {duplicate}</source>
   <translation>{name}：归纳 {induction}，前一词元 {previous}，重复词元 {duplicate}</translation>
  </message>
  <message>
   <source>{name}: no run with this value was recorded. Set points to trained to train with it.</source>
   <translation>{name}：没有记录用这个值的训练。把 points 设为 trained，即可用它训练。</translation>
  </message>
  <message>
   <source>{name}: off</source>
   <translation>{name}：关闭</translation>
  </message>
  <message>
   <source>{name}: replaced by its mean</source>
   <translation>{name}：以均值代替</translation>
  </message>
  <message>
   <source>{name}: the length of row {row} is {count}, but that of row 1 is {width}. All rows must have the same length.</source>
   <translation>{name}：第 {row} 行有 {count} 个数，而第 1 行有 {width} 个。所有行的长度必须相同。</translation>
  </message>
  <message>
   <source>{name}: the logit of “{right}” is {value} above that of “{wrong}”</source>
   <translation>{name}：“{right}”的 logit 比“{wrong}”的高 {value}</translation>
  </message>
  <message>
   <source>{name}: the number of columns is {count}; it must be between {low} and {high}.</source>
   <translation>{name}：列数是 {count}；必须在 {low} 到 {high} 之间。</translation>
  </message>
  <message>
   <source>{name}: the number of rows is {count}; it must be between {low} and {high}.</source>
   <translation>{name}：行数是 {count}；必须在 {low} 到 {high} 之间。</translation>
  </message>
  <message>
   <source>{name}: the number of values is {count}, but there are {widths} widths. Give one for each model.</source>
   <translation>{name}：共有 {count} 个值，但有 {widths} 个宽度。请为每个模型给一个值。</translation>
  </message>
  <message>
   <source>{name}: the number of values is {count}; it must be between {low} and {high}, one for each model.</source>
   <translation>{name}：共有 {count} 个值；必须在 {low} 到 {high} 个之间，每个模型一个。</translation>
  </message>
  <message>
   <source>{name}: {share} % of its distance from its mean</source>
   <translation>{name}：与均值之差的 {share} %</translation>
  </message>
  <message>
   <source>{name}: {share} % of its output</source>
   <translation>{name}：输出的 {share} %</translation>
  </message>
  <message>
   <source>{name}: {value}</source>
   <translation>{name}：{value}</translation>
  </message>
  <message>
   <source>{needed} of {free} free</source>
   <translation>{needed} / 空闲 {free}</translation>
  </message>
  <message>
   <source>{needed} still have to be downloaded, but {folder} has only {free} free. Free some space there, or set the environment variable HF_HOME to a folder on another disk.</source>
   <translation>还需下载 {needed}，而 {folder} 只剩 {free} 可用空间。请在那里腾出空间，或用环境变量 HF_HOME 指定另一个磁盘上的文件夹。</translation>
  </message>
  <message>
   <source>{number} between {low} and {high}</source>
   <translation>介于 {low} 和 {high} 之间的{number}</translation>
  </message>
  <message>
   <source>{number}, or empty</source>
   <translation>{number}，或留空</translation>
  </message>
  <message>
   <source>{n} M</source>
   <translation>{n} M</translation>
  </message>
  <message>
   <source>{n} bits less</source>
   <translation>少 {n} 比特</translation>
  </message>
  <message>
   <source>{n} bits more</source>
   <translation>多 {n} 比特</translation>
  </message>
  <message>
   <source>{n} bits or more</source>
   <translation>{n} 比特及以上</translation>
  </message>
  <message>
   <source>{n} blocks</source>
   <translation>{n} 个块</translation>
  </message>
  <message>
   <source>{n} branches</source>
   <translation>{n} 个分支</translation>
  </message>
  <message>
   <source>{n} events are missing here: the disk could not be written for too long to keep them.</source>
   <translation>这里缺少 {n} 个事件：磁盘无法写入的时间太长，无法全部保留。</translation>
  </message>
  <message>
   <source>{n} if tied to the embedding</source>
   <translation>与嵌入共享时为 {n}</translation>
  </message>
  <message>
   <source>{n} kept</source>
   <translation>保留 {n} 个</translation>
  </message>
  <message>
   <source>{n} layers</source>
   <translation>{n} 层</translation>
  </message>
  <message>
   <source>{n} more</source>
   <translation>其余 {n} 个</translation>
  </message>
  <message>
   <source>{n} of {all}</source>
   <translation>{n} / {all}</translation>
  </message>
  <message>
   <source>{n} of {count}</source>
   <translation>{n} / {count}</translation>
  </message>
  <message>
   <source>{n} of {total} runs are finished</source>
   <translation>{total} 次训练中已完成 {n} 次</translation>
  </message>
  <message>
   <source>{n} of {total} runs are left. Continue.</source>
   <translation>{total} 次训练中还剩 {n} 次。请继续。</translation>
  </message>
  <message>
   <source>{n} of {total} runs of your sweeps are left. Continue them on Runs, under Sweeps.</source>
   <translation>参数扫描的 {total} 次训练中还剩 {n} 次。可在“训练记录”的“参数扫描”中继续。</translation>
  </message>
  <message>
   <source>{n} others</source>
   <translation>其余 {n} 个</translation>
  </message>
  <message>
   <source>{n} parameters</source>
   <translation>{n} 个参数</translation>
  </message>
  <message>
   <source>{n} random tokens, repeated once (seed {seed}). {title}: {count} of {all} heads have a score of at least {least}; such a head is called “{name}” here.</source>
   <translation>{n} 个随机词元，重复一次（种子 {seed}）。{title}：{all} 个头中有 {count} 个的分数不低于 {least}；这样的头在这里称为“{name}”。</translation>
  </message>
  <message>
   <source>{n} seeds are too many; at most {most}.</source>
   <translation>{n} 个种子太多；最多 {most} 个。</translation>
  </message>
  <message>
   <source>{n} texts</source>
   <translation>{n} 份文本</translation>
  </message>
  <message>
   <source>{n} texts: {names}</source>
   <translation>{n} 个文本：{names}</translation>
  </message>
  <message>
   <source>{n} tokens</source>
   <translation>{n} 个词元</translation>
  </message>
  <message>
   <source>{n} tokens/s</source>
   <translation>{n} 词元/秒</translation>
  </message>
  <message>
   <source>{n} with a separate output layer</source>
   <translation>输出层独立时为 {n}</translation>
  </message>
  <message>
   <source>{n}, tied: the token embedding and the output layer share one matrix</source>
   <translation>{n}，权重共享：词元嵌入与输出层用同一个矩阵</translation>
  </message>
  <message>
   <source>{n}, width {width} each</source>
   <translation>{n} 个，每个宽 {width}</translation>
  </message>
  <message>
   <source>{n}, with a separate output layer</source>
   <translation>{n}，有独立的输出层</translation>
  </message>
  <message>
   <source>{n}. {title}</source>
   <translation>{n}. {title}</translation>
  </message>
  <message>
   <source>{n}th or later</source>
   <translation>第 {n} 及以后</translation>
  </message>
  <message>
   <source>{one}; {other}</source>
   <translation>{one}；{other}</translation>
  </message>
  <message>
   <source>{optimizer} updates whole matrices, so it cannot train a model that is split across processes. Leave out --shard, or choose another optimizer.</source>
   <translation>{optimizer} 更新整个矩阵，不能训练拆分到多个进程的模型。请去掉 --shard，或选择其他优化器。</translation>
  </message>
  <message>
   <source>{parameters}, in this order</source>
   <translation>{parameters}，按此顺序</translation>
  </message>
  <message>
   <source>{part} of {model}: {arithmetic} = {count}, {share} of the total.</source>
   <translation>{model} 的{part}：{arithmetic} = {count}，占总数的 {share}。</translation>
  </message>
  <message>
   <source>{part}: {size}</source>
   <translation>{part}：{size}</translation>
  </message>
  <message>
   <source>{part}; context length {context}, stride {stride}, batch size {batch}</source>
   <translation>{part}；上下文长度 {context}，步幅 {stride}，批次大小 {batch}</translation>
  </message>
  <message>
   <source>{path} already contains a model. Choose another folder, or allow the model to be replaced.</source>
   <translation>{path} 中已有一个模型。请指定另一个文件夹，或允许替换它。</translation>
  </message>
  <message>
   <source>{path} already exists and contains something else, but the text of the run is saved there, beside the script. Choose another name for the script.</source>
   <translation>{path} 已存在，内容不同，而训练的文本要保存在那里（脚本旁边）。请为脚本另选一个名称。</translation>
  </message>
  <message>
   <source>{path} already exists. Choose a new or an empty folder for this run.</source>
   <translation>{path} 已存在。请为该训练选择新文件夹或空文件夹。</translation>
  </message>
  <message>
   <source>{path} already exists. Choose another file, or allow it to be replaced.</source>
   <translation>{path} 已经存在。请指定另一个文件，或允许替换它。</translation>
  </message>
  <message>
   <source>{path} changed while it was being read. Try again.</source>
   <translation>{path} 在读取时被更改了。请再试一次。</translation>
  </message>
  <message>
   <source>{path} contains no run. A packed run is one folder with a run.json in it.</source>
   <translation>{path} 中没有训练。打包的训练是一个含有 run.json 的文件夹。</translation>
  </message>
  <message>
   <source>{path} contains no tree of GPT Studio.</source>
   <translation>{path} 不含 GPT Studio 的文本树。</translation>
  </message>
  <message>
   <source>{path} contains {name}, which is not part of an exported model. Nothing was changed. Choose a folder that does not exist yet.</source>
   <translation>{path} 中有 {name}，它不属于导出的模型。未作任何改动。请指定一个尚不存在的文件夹。</translation>
  </message>
  <message>
   <source>{path} exists again, so nothing was restored. Rename or move what is there, then restore once more.</source>
   <translation>{path} 又存在了，因此没有还原。请先重命名或移走那里的文件夹，再还原一次。</translation>
  </message>
  <message>
   <source>{path} has only {n} tokens. Replace it with the complete text.</source>
   <translation>{path} 只有 {n} 个词元。请换成完整的文本。</translation>
  </message>
  <message>
   <source>{path} has {size} MB; the limit is {most} MB.</source>
   <translation>{path} 有 {size} MB；上限为 {most} MB。</translation>
  </message>
  <message>
   <source>{path} is a device or a pipe, not a text file. Choose another file.</source>
   <translation>{path} 是设备或管道，不是文本文件。请选择另一个文件。</translation>
  </message>
  <message>
   <source>{path} is a file. Choose a folder for the model.</source>
   <translation>{path} 是一个文件。请为模型指定一个文件夹。</translation>
  </message>
  <message>
   <source>{path} is a folder. Choose a file for the model, for example {file}.</source>
   <translation>{path} 是一个文件夹。请为模型指定一个文件，例如 {file}。</translation>
  </message>
  <message>
   <source>{path} is a folder. Choose a text file in it.</source>
   <translation>{path} 是文件夹。请选择其中的文本文件。</translation>
  </message>
  <message>
   <source>{path} is a model saved by GPT Studio, so nothing else can be written there. Choose another location.</source>
   <translation>{path} 是 GPT Studio 保存的模型，不能写入其他内容。请换一个位置。</translation>
  </message>
  <message>
   <source>{path} is damaged: wrong checksum (SHA-256). Copy the file of the same name from a checkpoint of this run.</source>
   <translation>{path} 已损坏：校验和（SHA-256）不符。请从此次训练的检查点复制同名文件。</translation>
  </message>
  <message>
   <source>{path} is empty. Choose a text that contains some words.</source>
   <translation>{path} 是空的。请选择有内容的文本。</translation>
  </message>
  <message>
   <source>{path} is not a run folder: its run.json cannot be read.</source>
   <translation>{path} 不是训练文件夹：无法读取它的 run.json。</translation>
  </message>
  <message>
   <source>{path} is not the file that ships with GPT Studio. Reinstall GPT Studio.</source>
   <translation>{path} 不是 GPT Studio 附带的文件。请重新安装 GPT Studio。</translation>
  </message>
  <message>
   <source>{path} is not {title} as published: its checksum is {found}, the published SHA-256 is {pinned}. It was changed, damaged or downloaded from another server. Delete it and download the model again. To use it as your own weights, open it with Model &gt; Open weights.</source>
   <translation>{path} 不是公开发布的 {title}：其校验和为 {found}，而公布的 SHA-256 为 {pinned}。它被改动过、已损坏，或来自其他服务器。请删除它并重新下载模型；若要把它当作自己的权重使用，请通过“模型 &gt; 打开权重”打开。</translation>
  </message>
  <message>
   <source>{path} needs {needed}, but only {free} are free there. Free some space, or choose another location.</source>
   <translation>{path} 需要 {needed}，而那里只剩 {free}。请腾出空间，或换一个位置。</translation>
  </message>
  <message>
   <source>{path} was not opened. {why}</source>
   <translation>未打开 {path}。{why}</translation>
  </message>
  <message>
   <source>{path} was not opened: it claims to contain {n} files of {size} in total, which does not look like a run.</source>
   <translation>未打开 {path}：它声称含有 {n} 个文件，共 {size}，这不像是一次训练。</translation>
  </message>
  <message>
   <source>{path} was not opened: it contains {name} twice.</source>
   <translation>未打开 {path}：其中 {name} 出现了两次。</translation>
  </message>
  <message>
   <source>{path} was not opened: it contains {name}, which does not belong in a run.</source>
   <translation>未打开 {path}：它含有 {name}，这不属于训练的内容。</translation>
  </message>
  <message>
   <source>{path} was not opened: it has {size} MB, which is too large for a tree.</source>
   <translation>未打开 {path}：它有 {size} MB，对文本树来说太大。</translation>
  </message>
  <message>
   <source>{path} was not opened: its log is damaged.</source>
   <translation>未打开 {path}：其中的日志已损坏。</translation>
  </message>
  <message>
   <source>{path} was not opened: its run.json is too large.</source>
   <translation>未打开 {path}：其中的 run.json 太大。</translation>
  </message>
  <message>
   <source>{path} was not opened: the run needs {needed}, but only {free} are free at {runs}. Free some space and try again.</source>
   <translation>未打开 {path}：这次训练需要 {needed}，而 {runs} 只有 {free} 可用。请腾出空间后重试。</translation>
  </message>
  <message>
   <source>{path} was not opened: {name} is a link or is password-protected.</source>
   <translation>未打开 {path}：{name} 是链接，或受密码保护。</translation>
  </message>
  <message>
   <source>{path} was not opened: {why}</source>
   <translation>未打开 {path}：{why}</translation>
  </message>
  <message>
   <source>{path}: {faults}</source>
   <translation>{path}：{faults}</translation>
  </message>
  <message>
   <source>{piece}  ·  ID {id}  ·  bytes {bytes}</source>
   <translation>{piece}  ·  ID {id}  ·  字节 {bytes}</translation>
  </message>
  <message>
   <source>{place} ({name}): {share}; probability of “{answer}” {p}</source>
   <translation>{place}（{name}）：{share}；“{answer}”的概率 {p}</translation>
  </message>
  <message>
   <source>{place}: {left} and {right}</source>
   <translation>{place}：{left} 和 {right}</translation>
  </message>
  <message>
   <source>{place}: {left} and {right}, distance {bits} bits</source>
   <translation>{place}：{left} 和 {right}，距离 {bits} 比特</translation>
  </message>
  <message>
   <source>{power} / {sum} (the sum of e^logit over all {count} logits) = {share}</source>
   <translation>{power} / {sum}（全部 {count} 个 logits 的 e^logit 之和）= {share}</translation>
  </message>
  <message>
   <source>{power}. The book prints 48725.8203, computed with 32-bit numbers: a change in the last digit of such a loss moves it by 0.05.</source>
   <translation>{power}。书中给出的是 48725.8203，用 32 位数算得：这种损失的最后一位变动，就会让它变化 0.05。</translation>
  </message>
  <message>
   <source>{problem} The file is kept, with “.aside” added to its name.</source>
   <translation>{problem}该文件保留在原处，文件名末尾加上了“.aside”。</translation>
  </message>
  <message>
   <source>{p} is at least {min} × {top}: kept</source>
   <translation>{p} 不小于 {min} × {top}：保留</translation>
  </message>
  <message>
   <source>{p} is less than {min} × {top}: removed</source>
   <translation>{p} 小于 {min} × {top}：去除</translation>
  </message>
  <message>
   <source>{p}, removed by {stage}</source>
   <translation>{p}，已去除（{stage}）</translation>
  </message>
  <message>
   <source>{question} {guess}</source>
   <translation>{question} {guess}</translation>
  </message>
  <message>
   <source>{rate} at every step</source>
   <translation>每一步都是 {rate}</translation>
  </message>
  <message>
   <source>{right} of {n}</source>
   <translation>{right}/{n}</translation>
  </message>
  <message>
   <source>{right} of {n} right</source>
   <translation>{n} 人中 {right} 人猜对</translation>
  </message>
  <message>
   <source>{row}  →  {column}:  {value}</source>
   <translation>{row}  →  {column}：{value}</translation>
  </message>
  <message>
   <source>{row}, {column}: {value}</source>
   <translation>{row}，{column}：{value}</translation>
  </message>
  <message>
   <source>{run}, as it is now</source>
   <translation>{run}，此刻的状态</translation>
  </message>
  <message>
   <source>{run}, as it was after step {n}</source>
   <translation>{run}，第 {n} 步之后的状态</translation>
  </message>
  <message>
   <source>{run}, as it was after step {step}</source>
   <translation>{run}，第 {step} 步之后</translation>
  </message>
  <message>
   <source>{run}, before its first step</source>
   <translation>{run}，第一步之前</translation>
  </message>
  <message>
   <source>{run}, from step {n}</source>
   <translation>{run}，从第 {n} 步起</translation>
  </message>
  <message>
   <source>{run}, step {n}</source>
   <translation>{run}，第 {n} 步</translation>
  </message>
  <message>
   <source>{run}, table of 3-grams</source>
   <translation>{run}，3-gram 表</translation>
  </message>
  <message>
   <source>{same} of {total} numbers match the book</source>
   <translation>{total} 个数中有 {same} 个与书中一致</translation>
  </message>
  <message>
   <source>{setting} ({value}) has no effect: {choice} is {chosen}.</source>
   <translation>{setting}（{value}）不起作用：{choice}为 {chosen}。</translation>
  </message>
  <message>
   <source>{share} % of the units in {layer} are dead.</source>
   <translation>{layer}中有 {share} % 的单元失效。</translation>
  </message>
  <message>
   <source>{share} copied, longest {n} tokens</source>
   <translation>照抄 {share}，最长 {n} 个词元</translation>
  </message>
  <message>
   <source>{share} for training, the rest for validation (by {by})</source>
   <translation>{share} 用于训练，其余用于验证（按{by}划分）</translation>
  </message>
  <message>
   <source>{share} of the characters for training</source>
   <translation>{share} 的字符用于训练</translation>
  </message>
  <message>
   <source>{share} of the characters for training, as closely as whole texts allow</source>
   <translation>{share} 的字符用于训练（以整篇文本为单位尽量接近）</translation>
  </message>
  <message>
   <source>{share} times</source>
   <translation>{share} 倍</translation>
  </message>
  <message>
   <source>{share}, kept</source>
   <translation>{share}，保留</translation>
  </message>
  <message>
   <source>{share}, pruned</source>
   <translation>{share}，剪掉</translation>
  </message>
  <message>
   <source>{side}:  {words}</source>
   <translation>{side}：{words}</translation>
  </message>
  <message>
   <source>{side}: the prompt is longer than the context length. Prompt tokens the model does not see: {n}.</source>
   <translation>{side}：提示词超过上下文长度，模型看不到开头的 {n} 个词元。</translation>
  </message>
  <message>
   <source>{side}: {reason}. New tokens: {n}.</source>
   <translation>{side}：{reason}。新词元：{n} 个。</translation>
  </message>
  <message>
   <source>{sign} After the embeddings</source>
   <translation>{sign} 嵌入之后</translation>
  </message>
  <message>
   <source>{sign} Before each shortcut addition</source>
   <translation>{sign} 每次与快捷连接相加之前</translation>
  </message>
  <message>
   <source>{sign} Goal not reached yet. {name}: no value yet; goal: {target}.</source>
   <translation>{sign} 尚未达到目标。{name}：还没有值；目标：{target}。</translation>
  </message>
  <message>
   <source>{sign} Goal not reached yet. {name}: {now}; goal: {target}.</source>
   <translation>{sign} 尚未达到目标。{name}：{now}；目标：{target}。</translation>
  </message>
  <message>
   <source>{sign} Goal reached. {name}: {now}; goal: {target}.</source>
   <translation>{sign} 已达到目标。{name}：{now}；目标：{target}。</translation>
  </message>
  <message>
   <source>{sign} Goal reached. {name}: {target}.</source>
   <translation>{sign} 已达到目标。{name}：{target}。</translation>
  </message>
  <message>
   <source>{sign} On the attention weights</source>
   <translation>{sign} 在注意力权重上</translation>
  </message>
  <message>
   <source>{sign} You guessed {guess}, and that is right.</source>
   <translation>{sign} 你猜的是：{guess}，猜对了。</translation>
  </message>
  <message>
   <source>{sign} You guessed {guess}; it is {truth}. Close enough.</source>
   <translation>{sign} 你猜的是：{guess}；实际是：{truth}，足够接近。</translation>
  </message>
  <message>
   <source>{sign} matches the book ({same} of {total})</source>
   <translation>{sign} 与书中一致（{same}/{total}）</translation>
  </message>
  <message>
   <source>{sign} {name}</source>
   <translation>{sign} {name}</translation>
  </message>
  <message>
   <source>{sign} {name}: all {count}</source>
   <translation>{sign} {name}：全部 {count} 个</translation>
  </message>
  <message>
   <source>{sign} {name}: the book prints no value for this input</source>
   <translation>{sign} {name}：书中没有给出该输入的值</translation>
  </message>
  <message>
   <source>{sign} {name}: {same} of {count}</source>
   <translation>{sign} {name}：{count} 个中 {same} 个</translation>
  </message>
  <message>
   <source>{sign} {n}. {title}  ·  skipped; goal: {name}, {target}</source>
   <translation>{sign} {n}. {title}  ·  已跳过；目标：{name}，{target}</translation>
  </message>
  <message>
   <source>{sign} {n}. {title}  ·  {name}: {now}</source>
   <translation>{sign} {n}. {title}  ·  {name}：{now}</translation>
  </message>
  <message>
   <source>{size} ({free} free)</source>
   <translation>{size}（可用 {free}）</translation>
  </message>
  <message>
   <source>{size} free</source>
   <translation>空闲 {size}</translation>
  </message>
  <message>
   <source>{size} will be stored in the huggingface_hub cache, which other programs share.</source>
   <translation>{size} 将存入 huggingface_hub 缓存（与其他程序共用）。</translation>
  </message>
  <message>
   <source>{size}: {n} parameters without embeddings, {all} with them. Loss with each seed: {losses}.</source>
   <translation>{size}：不含嵌入有 {n} 个参数，含嵌入有 {all} 个。各种子的损失：{losses}。</translation>
  </message>
  <message>
   <source>{some} and {one}</source>
   <translation>{some} 和 {one}</translation>
  </message>
  <message>
   <source>{stage} is off: it stays {x}</source>
   <translation>未启用（{stage}），仍为 {x}</translation>
  </message>
  <message>
   <source>{stage} keeps 1 token, {p}</source>
   <translation>{stage} 保留 1 个词元，{p}</translation>
  </message>
  <message>
   <source>{stage} keeps {n} tokens, {p}</source>
   <translation>{stage} 保留 {n} 个词元，{p}</translation>
  </message>
  <message>
   <source>{steps} steps, {tokens} tokens, {flops} floating-point operations each, {share} of them in the output layer.</source>
   <translation>每个种子 {steps} 步、{tokens} 个词元、{flops} 次浮点运算，其中 {share} 在输出层。</translation>
  </message>
  <message>
   <source>{step} {shape}.</source>
   <translation>{step} {shape}。</translation>
  </message>
  <message>
   <source>{stored}; saved as fp32</source>
   <translation>{stored}；保存为 fp32</translation>
  </message>
  <message>
   <source>{sum} = {p}</source>
   <translation>{sum} = {p}</translation>
  </message>
  <message>
   <source>{s} s</source>
   <translation>{s} 秒</translation>
  </message>
  <message>
   <source>{tensor} is stored as {dtype}, but only {kinds} can be read. The model was quantised or packed; choose the model as it was originally published.</source>
   <translation>{tensor} 以 {dtype} 存储，但只能读取 {kinds}。该模型已被量化或打包；请选择最初发布的模型。</translation>
  </message>
  <message>
   <source>{text} names no part of a model. Write 3.5 for head 5 of layer 3, and 3.mlp for the feed-forward network of layer 3; both are counted from 0.</source>
   <translation>{text} 不是模型某个部分的名称。3.5 表示第 3 层第 5 个头，3.mlp 表示第 3 层的前馈网络；都从 0 数起。</translation>
  </message>
  <message>
   <source>{text}: {logs} = {numbers} = {sum}</source>
   <translation>{text}：{logs} = {numbers} = {sum}</translation>
  </message>
  <message>
   <source>{text}: {sum} / {length}^{alpha} = {score}</source>
   <translation>{text}：{sum} / {length}^{alpha} = {score}</translation>
  </message>
  <message>
   <source>{title}: “{answer}” {p}, “{wrong}” {q}, logit difference {d}.</source>
   <translation>{title}：“{answer}” {p}，“{wrong}” {q}，logit 之差 {d}。</translation>
  </message>
  <message>
   <source>{tokens} training tokens, {val} validation tokens  ·  steps per epoch: {per}  ·  steps: {all}</source>
   <translation>{tokens} 个训练词元，{val} 个验证词元  ·  每轮 {per} 步  ·  共 {all} 步</translation>
  </message>
  <message>
   <source>{tokens} · {bits} bits · {mean} per token</source>
   <translation>{tokens} · {bits} 比特 · 每词元 {mean}</translation>
  </message>
  <message>
   <source>{token}   ID {id}</source>
   <translation>{token}   ID {id}</translation>
  </message>
  <message>
   <source>{token}   ID {id}, sampled with probability {p}, surprisal {bits} bits</source>
   <translation>{token}   ID {id}，采样概率 {p}，惊讶度 {bits} 比特</translation>
  </message>
  <message>
   <source>{token}  at {n}</source>
   <translation>{token}  位置 {n}</translation>
  </message>
  <message>
   <source>{token}  ·  ID {id}</source>
   <translation>{token}  ·  ID {id}</translation>
  </message>
  <message>
   <source>{token}  ·  ID {id}  ·  position {n}, {all} tokens: nothing comes before it, so there is no prediction.</source>
   <translation>{token}  ·  ID {id}  ·  位置 {n}，共 {all} 个词元：前面没有内容，因此没有预测。</translation>
  </message>
  <message>
   <source>{token}  ·  ID {id}  ·  position {n}, {all} tokens: surprisal {bits} bits. The model gave it {p}, rank {rank}; entropy here: {open} bits.</source>
   <translation>{token}  ·  ID {id}  ·  位置 {n}，共 {all} 个词元：惊讶度 {bits} 比特。模型给它的概率为 {p}，排名 {rank}；此处的熵：{open} 比特。</translation>
  </message>
  <message>
   <source>{token}: ID {id}, model rank {place} of {n}</source>
   <translation>{token}：ID {id}，模型给出的排名 {place} / {n}</translation>
  </message>
  <message>
   <source>{token}: ID {id}, model rank {place} of {n}, already in the text</source>
   <translation>{token}：ID {id}，模型给出的排名 {place} / {n}，文本中已有</translation>
  </message>
  <message>
   <source>{token}: clean {clean}, corrupted {corrupted}, patched {patched}</source>
   <translation>{token}：干净 {clean}，受损 {corrupted}，修补后 {patched}</translation>
  </message>
  <message>
   <source>{token}: generated in a later step</source>
   <translation>{token}：在后面的步骤中生成</translation>
  </message>
  <message>
   <source>{token}: generated in this step</source>
   <translation>{token}：这一步生成</translation>
  </message>
  <message>
   <source>{token}: outside the context window, no longer read</source>
   <translation>{token}：已在上下文窗口之外，不再读入</translation>
  </message>
  <message>
   <source>{token}: read in this step</source>
   <translation>{token}：这一步读入</translation>
  </message>
  <message>
   <source>{train} for training, {validation} for validation</source>
   <translation>训练 {train}，验证 {validation}</translation>
  </message>
  <message>
   <source>{values}: no run has finished yet</source>
   <translation>{values}：尚无完成的训练</translation>
  </message>
  <message>
   <source>{values}: {loss}, mean and standard deviation of {n} runs</source>
   <translation>{values}：{loss}，{n} 次训练的均值和标准差</translation>
  </message>
  <message>
   <source>{values}: {loss}, one run</source>
   <translation>{values}：{loss}，一次训练</translation>
  </message>
  <message>
   <source>{value}</source>
   <translation>{value}</translation>
  </message>
  <message>
   <source>{value} is a number and can never equal {other}.</source>
   <translation>{value} 是数字，永远不会等于 {other}。</translation>
  </message>
  <message>
   <source>{value} is dropped: 0</source>
   <translation>{value} 被丢弃：0</translation>
  </message>
  <message>
   <source>{value} is not a number, so a check can only use equals.</source>
   <translation>{value} 不是数字，检查项只能使用 equals。</translation>
  </message>
  <message>
   <source>{value} is not a number.</source>
   <translation>{value} 不是数。</translation>
  </message>
  <message>
   <source>{value} nats</source>
   <translation>{value} nat</translation>
  </message>
  <message>
   <source>{value} · {mask} / (1 − {rate}) = {out}</source>
   <translation>{value} · {mask} / (1 − {rate}) = {out}</translation>
  </message>
  <message>
   <source>{value}, not scaled</source>
   <translation>{value}，未缩放</translation>
  </message>
  <message>
   <source>{value}, unchanged: not a later word</source>
   <translation>{value}，保持不变：不是后面的词</translation>
  </message>
  <message>
   <source>{what} ({keys})</source>
   <translation>{what}（{keys}）</translation>
  </message>
  <message>
   <source>{what} ({size})</source>
   <translation>{what}（{size}）</translation>
  </message>
  <message>
   <source>{what} Choose a text file, or save this one as UTF-8 and try again.</source>
   <translation>{what}请选择文本文件，或把该文件另存为 UTF-8 后重试。</translation>
  </message>
  <message>
   <source>{what} Choose the CPU (cpu). To use the device again, restart GPT Studio.</source>
   <translation>{what}请选择 CPU (cpu)。要再次使用该设备，请重新启动 GPT Studio。</translation>
  </message>
  <message>
   <source>{what} Reading it as {encoding}, which is a guess. Check that all characters look right.</source>
   <translation>{what}现按 {encoding} 读取，这只是猜测。请检查所有字符是否正确。</translation>
  </message>
  <message>
   <source>{what} You can also copy the model folder from a computer that has it, and open it with Model &gt; Open weights.</source>
   <translation>{what}也可以从有该模型的电脑复制它的文件夹，再用“模型 &gt; 打开权重”打开。</translation>
  </message>
  <message>
   <source>{what} belong to another model: {difference}.</source>
   <translation>{what}属于另一个模型：{difference}。</translation>
  </message>
  <message>
   <source>{what} is damaged: it was cut off or changed (wrong checksum). Restore it from a copy. If you changed it yourself, delete the line that begins with "sha256" and the comma before it.</source>
   <translation>{what} 已损坏：它被截断或改动了（校验和不符）。请从备份中恢复。如果是你自己改动的，请删去其中以 "sha256" 开头的那一行以及它前面的逗号。</translation>
  </message>
  <message>
   <source>{what} was saved by a newer version of GPT Studio (format {version}). Update GPT Studio to open it.</source>
   <translation>{what} 由更新版本的 GPT Studio 保存（格式 {version}）。请更新 GPT Studio 后再打开。</translation>
  </message>
  <message>
   <source>{what} {left}</source>
   <translation>{what}{left}</translation>
  </message>
  <message>
   <source>{what}, learning rate {rate:.3g}</source>
   <translation>{what}，学习率 {rate:.3g}</translation>
  </message>
  <message>
   <source>{what}, which a table of characters does not need, and loading it could run a program. None of it was run. Move the file elsewhere to open the weights without it.</source>
   <translation>{what}，而字符表不需要这些，加载它可能会运行程序。其中的任何内容都没有运行。若要不用它打开权重，请把该文件移到别处。</translation>
  </message>
  <message>
   <source>{what}, which is not needed for weights, and loading it could run a program. It may contain a whole model (torch.save(model)) or other data besides the weights. None of it was run. If you trust its author, load it in Python and save only the weights: torch.save(model.state_dict(), 'weights.pth').</source>
   <translation>{what}，权重用不到它，而载入它可能会运行程序。文件可能含有整个模型（torch.save(model)）或权重以外的数据。其中没有任何内容被运行。如果你信任作者，请在 Python 中载入它，只保存权重：torch.save(model.state_dict(), 'weights.pth')。</translation>
  </message>
  <message>
   <source>{what}.</source>
   <translation>{what}。</translation>
  </message>
  <message>
   <source>{what}. {damaged}</source>
   <translation>{what}。{damaged}</translation>
  </message>
  <message>
   <source>{what}:  {value}</source>
   <translation>{what}：{value}</translation>
  </message>
  <message>
   <source>{what}: checking and writing…</source>
   <translation>{what}：正在校验并写入…</translation>
  </message>
  <message>
   <source>{what}: it is not a zip file, or it is damaged. Download or copy it again.</source>
   <translation>{what}：它不是 zip 文件，或已损坏。请重新下载或复制。</translation>
  </message>
  <message>
   <source>{what}: {done} of {total}</source>
   <translation>{what}：{done}，共 {total}</translation>
  </message>
  <message>
   <source>{what}: {done} of {total}, {rate}/s, {left} left</source>
   <translation>{what}：{done}，共 {total}，每秒 {rate}，还需 {left}</translation>
  </message>
  <message>
   <source>{what}: {why}.</source>
   <translation>{what}：{why}。</translation>
  </message>
  <message>
   <source>{where}, smoothed</source>
   <translation>{where}，已平滑</translation>
  </message>
  <message>
   <source>{why} The checkpoint of step {n} is intact: you can continue from it, but all training after it is lost.</source>
   <translation>{why}第 {n} 步的检查点是完好的：可以从那里继续，但其后的训练结果会丢失。</translation>
  </message>
  <message>
   <source>{why}.</source>
   <translation>{why}。</translation>
  </message>
  <message>
   <source>{why}: {path}.</source>
   <translation>{why}：{path}。</translation>
  </message>
  <message>
   <source>{why}{which}.</source>
   <translation>{why}{which}。</translation>
  </message>
  <message>
   <source>{width} numbers per token cannot be divided among {heads} heads. Possible numbers of heads: {possible}.</source>
   <translation>每个词元的 {width} 个数无法平分给 {heads} 个头。可选的头数有：{possible}。</translation>
  </message>
  <message>
   <source>{words} ({kinds})</source>
   <translation>{words}（{kinds}）</translation>
  </message>
  <message>
   <source>{words} Selected now: {name}.</source>
   <translation>{words}现在选中的是：{name}。</translation>
  </message>
  <message>
   <source>{word} after {last}: {weight} / {sum} = {p}</source>
   <translation>{last} 之后是 {word}：{weight} / {sum} = {p}</translation>
  </message>
  <message>
   <source>{word} has rank {place} of the words that are kept</source>
   <translation>{word} 在保留的词中排名第 {place}</translation>
  </message>
  <message>
   <source>{word} is not kept: {value}</source>
   <translation>{word} 未保留：{value}</translation>
  </message>
  <message>
   <source>{word} is split into {count} words before any merging. Choose one of them.</source>
   <translation>{word} 在合并之前会被切成 {count} 个词；请选择其中一个。</translation>
  </message>
  <message>
   <source>{word}: logit {logit}; softmax without sampling parameters: {p}</source>
   <translation>{word}：logit {logit}；不用采样参数时 softmax 为 {p}</translation>
  </message>
  <message>
   <source>{word}: {before} before, {after} after; log-probability {first} and {second}</source>
   <translation>{word}：之前 {before}，之后 {after}；对数概率 {first} 和 {second}</translation>
  </message>
  <message>
   <source>{word}: {clean} after the clean sentence, {corrupted} after the corrupted one, {patched} with the copy</source>
   <translation>{word}：干净句子之后 {clean}，受损句子之后 {corrupted}，复制之后 {patched}</translation>
  </message>
  <message>
   <source>{x} / ({top} + …, {n} tokens in all)</source>
   <translation>{x} / ({top} + …，共 {n} 个词元)</translation>
  </message>
  <message>
   <source>× 0 or 1, at random</source>
   <translation>× 0 或 1，随机</translation>
  </message>
  <message>
   <source>“{answer}” is the most probable token after both prompts, so the wrong token is the second one after the corrupted prompt.</source>
   <translation>“{answer}”在两个提示词之后都是最可能的词元，因此错误词元取受损提示词之后的第二可能者。</translation>
  </message>
  <message>
   <source>“{choice}”</source>
   <translation>“{choice}”</translation>
  </message>
  <message>
   <source>“{command}” is off now.</source>
   <translation>“{command}”现在不能使用。</translation>
  </message>
  <message>
   <source>“{key}” comes after “{query}”, so the mask hides it.</source>
   <translation>“{key}”在“{query}”之后，因此被掩码遮住。</translation>
  </message>
  <message>
   <source>“{name}” is no longer where the trash kept it. Look for it in the trash in the file manager.</source>
   <translation>“{name}”已不在回收站原来的位置。请在文件管理器的回收站中查找。</translation>
  </message>
  <message>
   <source>“{path}” was not opened because it is too large. A lesson can have at most {most} KB.</source>
   <translation>未打开“{path}”，因为文件太大。课程文件最大 {most} KB。</translation>
  </message>
  <message>
   <source>“{prompt}” → {token}</source>
   <translation>“{prompt}” → {token}</translation>
  </message>
  <message>
   <source>“{prompt}”: {why}</source>
   <translation>“{prompt}”：{why}</translation>
  </message>
  <message>
   <source>“{query}” · “{key}”:  {sum}</source>
   <translation>“{query}” · “{key}”：{sum}</translation>
  </message>
  <message>
   <source>“{read}” was followed by “{token}”.</source>
   <translation>“{read}”之后是“{token}”。</translation>
  </message>
  <message>
   <source>“{text}” (probability {share}, sum {sum}, score {score})</source>
   <translation>“{text}”（概率 {share}，和 {sum}，得分 {score}）</translation>
  </message>
  <message>
   <source>“{text}” is not in the vocabulary of the model. Give one of its tokens.</source>
   <translation>“{text}”不在该模型的词表中。请给出词表中的一个词元。</translation>
  </message>
  <message>
   <source>“{text}” is not one token but {n}. Give a single token, with the space before it where it begins a word: " cat".</source>
   <translation>“{text}”不是一个词元，而是 {n} 个。请给出单个词元；如果它是一个词的开头，要带上前面的空格：" cat"。</translation>
  </message>
  <message>
   <source>“{token}”</source>
   <translation>“{token}”</translation>
  </message>
  <message>
   <source>“{token}” at position {n}</source>
   <translation>位置 {n} 的“{token}”</translation>
  </message>
  <message>
   <source>“{token}” attends most to</source>
   <translation>“{token}”最关注</translation>
  </message>
  <message>
   <source>“{token}”, {count} times in the text</source>
   <translation>“{token}”，文本中 {count} 次</translation>
  </message>
  <message>
   <source>“{token}”: {before} → {after}. Surprisal of the whole text: {bits} bits per token.</source>
   <translation>“{token}”：{before} → {after}。全文惊讶度：每词元 {bits} 比特。</translation>
  </message>
  <message>
   <source>“{word}” attends most to “{most}” ({high}) and least to “{least}” ({low}).</source>
   <translation>“{word}”最关注“{most}”（{high}），最不关注“{least}”（{low}）。</translation>
  </message>
  <message>
   <source>“{word}” consists of {n} tokens; these are the neighbours of the first one.</source>
   <translation>“{word}”由 {n} 个词元组成；这里是第一个词元的近邻。</translation>
  </message>
  <message>
   <source>“{word}”, merges applied: {step} of {last}</source>
   <translation>“{word}”，已合并：{step} / {last}</translation>
  </message>
  <message>
   <source>… and {n} more</source>
   <translation>……另有 {n} 项</translation>
  </message>
  <message>
   <source>… error</source>
   <translation>… 误差</translation>
  </message>
  <message>
   <source>… lowest</source>
   <translation>… 最低</translation>
  </message>
  <message>
   <source>… tied</source>
   <translation>… 共享权重</translation>
  </message>
  <message>
   <source>… times the text</source>
   <translation>… 文本的倍数</translation>
  </message>
  <message>
   <source>… with embeddings</source>
   <translation>… 含嵌入</translation>
  </message>
  <message>
   <source>… {ids}</source>
   <translation>… {ids}</translation>
  </message>
  <message>
   <source>→ after the mask</source>
   <translation>→ 掩码之后</translation>
  </message>
  <message>
   <source>→ divided by √d_k</source>
   <translation>→ 除以 √d_k</translation>
  </message>
  <message>
   <source>→ each query · each key</source>
   <translation>→ 每个查询 · 每个键</translation>
  </message>
  <message>
   <source>→ each row divided by its sum</source>
   <translation>→ 每行除以该行之和</translation>
  </message>
  <message>
   <source>→ each word · each word</source>
   <translation>→ 每个词 · 每个词</translation>
  </message>
  <message>
   <source>→ heads concatenated</source>
   <translation>→ 拼接各头</translation>
  </message>
  <message>
   <source>→ later words 0</source>
   <translation>→ 后面的词为 0</translation>
  </message>
  <message>
   <source>→ later words −∞</source>
   <translation>→ 后面的词为 −∞</translation>
  </message>
  <message>
   <source>→ not scaled</source>
   <translation>→ 未缩放</translation>
  </message>
  <message>
   <source>→ nothing dropped</source>
   <translation>→ 未丢弃</translation>
  </message>
  <message>
   <source>→ softmax of each row</source>
   <translation>→ 每行的 softmax</translation>
  </message>
  <message>
   <source>→ then × {scale}</source>
   <translation>→ 再 × {scale}</translation>
  </message>
  <message>
   <source>→ weights · inputs</source>
   <translation>→ 权重 · 输入</translation>
  </message>
  <message>
   <source>→ weights · values</source>
   <translation>→ 权重 · 值</translation>
  </message>
  <message>
   <source>→ {rate} dropped, the rest × {scale}</source>
   <translation>→ 丢弃 {rate}，其余 × {scale}</translation>
  </message>
  <message>
   <source>− column</source>
   <translation>− 列</translation>
  </message>
  <message>
   <source>− layer</source>
   <translation>− 层</translation>
  </message>
  <message>
   <source>− row</source>
   <translation>− 行</translation>
  </message>
  <message>
   <source>∞: a target was considered impossible</source>
   <translation>∞：有一个目标被视为不可能</translation>
  </message>
  <message>
   <source>≠ One-hot vector times matrix gives a different row.</source>
   <translation>≠ 独热向量乘以矩阵得到的是另一行。</translation>
  </message>
  <message>
   <source>▸ window {k}</source>
   <translation>▸ 窗口 {k}</translation>
  </message>
  <message>
   <source>✓ One-hot vector times matrix equals the looked-up row in every number.</source>
   <translation>✓ 独热向量乘以矩阵就是查出的那一行，每个数都相同。</translation>
  </message>
  <message>
   <source>✓ The model has been trained, and it is chosen now: {name}.</source>
   <translation>✓ 模型已训练好，现已选用：{name}。</translation>
  </message>
  <message>
   <source>✓ done</source>
   <translation>✓ 完成</translation>
  </message>
 </context>
 <context>
  <name>QFileDialog</name>
  <message>
   <source>&amp;Look in:</source>
   <translation>查找范围(&amp;L)：</translation>
  </message>
  <message>
   <source>Files of &amp;type:</source>
   <translation>文件类型(&amp;T)：</translation>
  </message>
 </context>
 <context>
  <name>QFileSystemModel</name>
  <message>
   <source>Size</source>
   <translation>大小</translation>
  </message>
 </context>
</TS>
